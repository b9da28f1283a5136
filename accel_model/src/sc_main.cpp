// SPDX-License-Identifier: Apache-2.0
// libsystemc calls sc_main from its own main, which nobody uses here, but it does not load where the symbol is missing or hidden.

extern "C" __attribute__((visibility("default"))) int sc_main(int, char **);
extern "C" int sc_main(int, char **) { return 0; }
