/* SPDX-License-Identifier: Apache-2.0 */
/* Entry and run loop: boot, then sleep until an event, serve everything that can be served, sleep again. */
#include "state.h"

void avocet_fw_set_state(struct avocet_firmware *firmware, enum avocet_firmware_state state) {
  firmware->state = state;
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_FW_STATE, state);
}

void avocet_fw_halt(struct avocet_firmware *firmware, uint32_t code, const char *why) {
  if (firmware->state == AVOCET_FIRMWARE_STATE_HALTED) return;
  avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_ERROR, why, (const struct avocet_fw_log_value[]){{"halted", code}, {0, 0}});
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_TIMER, 0);
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_FW_ERROR, code);
  avocet_fw_set_state(firmware, AVOCET_FIRMWARE_STATE_HALTED);
}

static void boot(struct avocet_firmware *firmware) {
  avocet_fw_set_state(firmware, AVOCET_FIRMWARE_STATE_BOOTING);
  enum avocet_status status = avocet_fw_boot_check(firmware);
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_FW_VERSION, AVOCET_VERSION);
  if (status != AVOCET_STATUS_OK) {
    avocet_fw_wr32(firmware, AVOCET_REG_CORE_FW_ERROR, status);
    avocet_fw_set_state(firmware, AVOCET_FIRMWARE_STATE_FAILED);
    return;
  }
  avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_INFO, "firmware ready",
                (const struct avocet_fw_log_value[]){{"version", AVOCET_VERSION}, {0, 0}});
  avocet_fw_beat(firmware);
  avocet_fw_wr32(firmware, AVOCET_REG_CORE_HEARTBEAT, firmware->heartbeat);
  avocet_fw_set_state(firmware, AVOCET_FIRMWARE_STATE_READY);
}

/* Tells the host what happened: completions first, they are what it waits for. */
static void tell(struct avocet_firmware *firmware) {
  if (firmware->completion_due) {
    firmware->completion_due = false;
    avocet_fw_wr32(firmware, AVOCET_REG_CORE_IRQ_RAISE, AVOCET_IRQ_STATUS_COMPLETION);
  }
  if (firmware->heartbeat_due) {
    firmware->heartbeat_due = false;
    avocet_fw_wr32(firmware, AVOCET_REG_CORE_HEARTBEAT, firmware->heartbeat);
  }
}

static void serve(struct avocet_firmware *firmware, uint32_t events) {
  if (firmware->state == AVOCET_FIRMWARE_STATE_SUSPENDED && (events & AVOCET_CORE_EVENTS_DOORBELL))
    avocet_fw_set_state(firmware, AVOCET_FIRMWARE_STATE_READY);
  if (firmware->state != AVOCET_FIRMWARE_STATE_READY) return;
  /* Rings are looked at when the doorbell says so, not on every occasion: each look costs a memory access. */
  if (events & AVOCET_CORE_EVENTS_DOORBELL) firmware->doorbell = firmware->look_due = true;
  avocet_fw_job_events(firmware, events);
  if (events & AVOCET_CORE_EVENTS_TIMER) avocet_fw_job_supervise(firmware);
  bool more = true;
  while (more && firmware->state == AVOCET_FIRMWARE_STATE_READY) {
    more = avocet_fw_job_finish(firmware);
    more = avocet_fw_schedule_serve(firmware) || more; /* keep the hardware busy before anything else */
    more = (firmware->report_due && avocet_fw_queue_report(firmware)) || more;
    more = avocet_fw_admin_serve(firmware) || more;
    tell(firmware);
  }
}

static void forget_everything(struct avocet_firmware *firmware, const struct avocet_firmware_port *port) {
  static const struct avocet_firmware_context no_context;
  static const struct avocet_firmware_run no_run;
  firmware->port = port;
  firmware->cores = 1;
  firmware->admin = firmware->completion = firmware->log = (struct avocet_firmware_ring){0};
  firmware->save = 0;
  firmware->save_bytes = 0;
  firmware->heartbeat = 0;
  firmware->heartbeat_due = firmware->completion_due = firmware->message_open = firmware->urgent_open = false;
  firmware->log_level = AVOCET_FIRMWARE_LOG_INFO;
  firmware->log_dropped = 0;
  firmware->look_due = firmware->doorbell = firmware->report_due = false;
  firmware->driver_minor = 0;
  for (uint32_t i = 0; i < AVOCET_PRIORITY_COUNT; i++)
    firmware->queued[i] = firmware->last_context[i] = firmware->passed[i] = 0;
  for (uint32_t core = 0; core < AVOCET_CORES_MAX; core++) firmware->runs[core] = no_run;
  for (uint32_t id = 0; id < AVOCET_CONTEXTS_MAX; id++) firmware->contexts[id] = no_context;
}

void avocet_firmware_main(struct avocet_firmware *firmware, const struct avocet_firmware_port *port) {
  forget_everything(firmware, port);
  boot(firmware);
  for (;;) {
    uint32_t events = port->wait_events(port->opaque);
    if (events == 0) return;
    avocet_fw_wr32(firmware, AVOCET_REG_CORE_EVENTS, events); /* before looking: an event from now on wakes again */
    serve(firmware, events);
  }
}
