// SPDX-License-Identifier: Apache-2.0
// The ways in which a process ends or lets go of the library, with jobs under way: none may hang (the test's timeout) or crash. The
// library is loaded by path, as a plug-in would do.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "client.hpp"

namespace avocet::test {
namespace {

struct Library {
  Library() : handle(dlopen(AVOCET_SIM_LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
    if (!handle) {
      std::fprintf(stderr, "%s\n", dlerror());
      std::abort();
    }
    open = reinterpret_cast<int (*)()>(dlsym(handle, "avocet_open"));
    close = reinterpret_cast<int (*)(int)>(dlsym(handle, "avocet_close"));
    ioctl = reinterpret_cast<int (*)(int, unsigned long, void*)>(dlsym(handle, "avocet_ioctl"));
    configure = reinterpret_cast<void (*)(const char*, const char*, const char*)>(dlsym(handle, "avocet_sim_configure"));
  }
  void* handle;
  int (*open)();
  int (*close)(int);
  int (*ioctl)(int, unsigned long, void*);
  void (*configure)(const char*, const char*, const char*);
};

/// A client with jobs of some length in flight.
struct Busy {
  explicit Busy(Library& library)
      : device(library.open()),
        client([&library, this](unsigned long request, void* argument) { return library.ioctl(device, request, argument); }) {
    context = client.context();
    uint32_t program = client.program(context, copy_stream(0, 1, 0, 300000));
    uint32_t buffer = client.buffer(context, 300000);
    for (int i = 0; i < 60; i++) last = client.submit(context, copy_job(program, buffer, buffer, 300000));
  }
  int device;
  Client client;
  uint32_t context = 0;
  int64_t last = 0;
};

class ProcessExit : public testing::Test {
 protected:
  ProcessExit() { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};

TEST_F(ProcessExit, ReturnsWithJobsInFlight) {
  EXPECT_EXIT(
      {
        Library library;
        Busy busy(library);
        std::exit(busy.last > 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(ProcessExit, ExitsWhileAnotherThreadWaits) {
  EXPECT_EXIT(
      {
        static Library library;
        static Busy busy(library);
        std::thread([] { busy.client.status_of(busy.context, busy.last); }).detach();
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(ProcessExit, FilesAreClosedByLaterExitHandlers) {
  EXPECT_EXIT(
      {
        static Library library;
        static Busy* busy;
        std::atexit([] {  // registered before the device's own handler, so it runs after it
          if (library.close(busy->device) != 0) _exit(3);
        });
        busy = new Busy(library);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(ProcessExit, LibraryIsUnloadedAndLoadedAgain) {
  EXPECT_EXIT(
      {
        for (int round = 0; round < 3; round++) {
          Library library;
          {
            Busy busy(library);
            if (busy.client.status_of(busy.context, busy.last) != 0) std::exit(2);
            if (library.close(busy.device) != 0) std::exit(3);
          }
          dlclose(library.handle);
        }
        std::exit(0);
      },
      testing::ExitedWithCode(0), "^$");
}

TEST_F(ProcessExit, QuickExit) {
  EXPECT_EXIT(
      {
        Library library;
        Busy busy(library);
        _exit(busy.last > 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace avocet::test
