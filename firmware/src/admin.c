/* SPDX-License-Identifier: Apache-2.0 */
/* The admin ring: one message at a time, in order. A message that has to wait (for a job to stop, or for room to complete queued
 * ones) stays open and is continued on the next event; messages behind it wait, but for RESET_ENGINE: it may be what the waiting
 * one needs. */
#include "ring.h"
#include "state.h"

enum { WAITING = -1 }; /* beside enum avocet_status */

/* The TLB is one for all cores; the registers of core 0 name the context. */
static void invalidate(struct avocet_firmware *firmware, uint32_t context) {
  avocet_fw_wr32(firmware, AVOCET_REG_SEQ_CONTEXT, context);
  firmware->runs[0].seq_context = 0; /* the next job sets it up again */
  avocet_fw_wr32(firmware, AVOCET_REG_SEQ_CONTROL, AVOCET_SEQ_CONTROL_INVALIDATE);
}

/* Context 0 is the driver's own and has no job ring. */
static struct avocet_firmware_context *find(struct avocet_firmware *firmware, uint32_t id) {
  return id > 0 && id < AVOCET_CONTEXTS_MAX ? &firmware->contexts[id] : 0;
}

static int create_context(struct avocet_firmware *firmware, const struct avocet_message *message) {
  struct avocet_firmware_context *context = find(firmware, message->context);
  if (!context || context->live || message->argument0 == 0 || message->argument0 % AVOCET_PAGE_BYTES != 0)
    return AVOCET_STATUS_BAD_MESSAGE;
  struct avocet_firmware_ring jobs;
  enum avocet_status status =
      avocet_fw_ring_open(firmware->port, message->argument1, sizeof(struct avocet_job), true, &jobs);
  if (status != AVOCET_STATUS_OK) return status;
  *context = (struct avocet_firmware_context){.live = true, .table = message->argument0};
  avocet_fw_queue_open(&context->queues[AVOCET_PRIORITY_MEDIUM], &jobs);
  avocet_fw_job_forget_setup(firmware, message->context);
  invalidate(firmware, message->context); /* whatever an earlier owner of this id left */
  return AVOCET_STATUS_OK;
}

static int create_ring(struct avocet_firmware *firmware, const struct avocet_message *message) {
  struct avocet_firmware_context *context = find(firmware, message->context);
  if (!context || !context->live || message->argument0 >= AVOCET_PRIORITY_COUNT) return AVOCET_STATUS_BAD_MESSAGE;
  struct avocet_firmware_queue *queue = &context->queues[message->argument0];
  if (queue->jobs.address != 0) return AVOCET_STATUS_BAD_MESSAGE;
  struct avocet_firmware_ring jobs;
  enum avocet_status status =
      avocet_fw_ring_open(firmware->port, message->argument1, sizeof(struct avocet_job), true, &jobs);
  if (status != AVOCET_STATUS_OK) return status;
  avocet_fw_queue_open(queue, &jobs);
  firmware->look_due = true; /* after a reset there may be jobs in it */
  return AVOCET_STATUS_OK;
}

/* Ends what the context has on its cores; false while that lasts. */
static bool stop_jobs(struct avocet_firmware *firmware, uint32_t id) {
  bool stopped = true;
  for (uint32_t core = 0; core < firmware->cores; core++) {
    struct avocet_firmware_run *run = &firmware->runs[core];
    if (run->active && run->job.context == id) {
      avocet_fw_job_abort(firmware, core, AVOCET_STATUS_ABORTED);
      stopped = false;
    }
    for (uint32_t priority = 0; priority < AVOCET_FIRMWARE_PARKED; priority++) {
      if (run->parked[priority].context != id) continue;
      if (!avocet_fw_completion_room(firmware)) return false;
      avocet_fw_job_drop_parked(firmware, core, priority, AVOCET_STATUS_ABORTED);
    }
  }
  return stopped;
}

/* Ends what waits in one of the context's rings; false when there is no room for the completions. */
static bool empty_ring(struct avocet_firmware *firmware, uint32_t id, uint32_t priority) {
  while (avocet_fw_queue_count(&firmware->contexts[id].queues[priority]) > 0) {
    if (!avocet_fw_completion_room(firmware)) return false;
    avocet_fw_queue_refuse(firmware, id, priority, AVOCET_STATUS_ABORTED);
    avocet_fw_queue_look(firmware);
  }
  return true;
}

static int destroy_context(struct avocet_firmware *firmware, uint32_t id) {
  struct avocet_firmware_context *context = find(firmware, id);
  if (!context || !context->live) return AVOCET_STATUS_BAD_MESSAGE;
  context->faulted = true; /* nothing of it starts any more */
  if (!stop_jobs(firmware, id)) return WAITING;
  avocet_fw_queue_look(firmware);
  for (uint32_t priority = 0; priority < AVOCET_PRIORITY_COUNT; priority++) {
    if (!empty_ring(firmware, id, priority)) return WAITING;
  }
  context->live = false;
  avocet_fw_job_forget_setup(firmware, id);
  invalidate(firmware, id);
  return AVOCET_STATUS_OK;
}

/* Not when another job is there by now. */
static int reset_engine(struct avocet_firmware *firmware, const struct avocet_message *message) {
  if (message->argument0 >= firmware->cores) return AVOCET_STATUS_BAD_MESSAGE;
  const uint32_t core = (uint32_t)message->argument0;
  const struct avocet_firmware_run *run = &firmware->runs[core];
  if (!run->active || run->job.job_id != message->argument1) return AVOCET_STATUS_OK;
  if (!run->ended && !run->resetting && !avocet_fw_job_reset(firmware, core)) return AVOCET_STATUS_BAD_MESSAGE;
  return WAITING;
}

static int suspend(struct avocet_firmware *firmware, const struct avocet_message *message) {
  if (message->argument0 > 1) return AVOCET_STATUS_BAD_MESSAGE;
  if (avocet_fw_schedule_idle(firmware)) return AVOCET_STATUS_OK;
  return message->argument0 == 1 ? AVOCET_STATUS_BUSY : WAITING;
}

static int set_log_level(struct avocet_firmware *firmware, uint64_t level) {
  switch (level) {
    case AVOCET_FIRMWARE_LOG_ERROR:
    case AVOCET_FIRMWARE_LOG_WARNING:
    case AVOCET_FIRMWARE_LOG_INFO:
    case AVOCET_FIRMWARE_LOG_DEBUG:
      firmware->log_level = (uint32_t)level;
      return AVOCET_STATUS_OK;
    default:
      return AVOCET_STATUS_BAD_MESSAGE;
  }
}

static int serve_message(struct avocet_firmware *firmware, const struct avocet_message *message) {
  if (message->reserved0 != 0) return AVOCET_STATUS_BAD_MESSAGE;
  for (uint32_t i = 0; i < sizeof message->reserved1 / sizeof message->reserved1[0]; i++) {
    if (message->reserved1[i] != 0) return AVOCET_STATUS_BAD_MESSAGE;
  }
  struct avocet_firmware_context *context = find(firmware, message->context);
  switch (message->type) {
    case AVOCET_MESSAGE_TYPE_PING:
    case AVOCET_MESSAGE_TYPE_RESUME: /* the doorbell did it */
      return AVOCET_STATUS_OK;
    case AVOCET_MESSAGE_TYPE_CREATE_CONTEXT:
      return create_context(firmware, message);
    case AVOCET_MESSAGE_TYPE_CREATE_RING:
      return create_ring(firmware, message);
    case AVOCET_MESSAGE_TYPE_DESTROY_CONTEXT:
      return destroy_context(firmware, message->context);
    case AVOCET_MESSAGE_TYPE_INVALIDATE:
      if (!context || !context->live) return AVOCET_STATUS_BAD_MESSAGE;
      invalidate(firmware, message->context);
      return AVOCET_STATUS_OK;
    case AVOCET_MESSAGE_TYPE_SUSPEND:
      return suspend(firmware, message);
    case AVOCET_MESSAGE_TYPE_SET_LOG_LEVEL:
      return set_log_level(firmware, message->argument0);
    case AVOCET_MESSAGE_TYPE_RESET_ENGINE:
      return reset_engine(firmware, message);
    default:
      return AVOCET_STATUS_BAD_MESSAGE;
  }
}

static void answer(struct avocet_firmware *firmware, const struct avocet_message *message, uint32_t status) {
  struct avocet_completion completion = {
      .type = AVOCET_COMPLETION_TYPE_MESSAGE,
      .status = status,
      .context = message->context,
      .request = message->request,
      .job_id = message->type == AVOCET_MESSAGE_TYPE_PING ? message->argument0 : 0,
      .end_cycle = avocet_fw_now(firmware),
  };
  if (status != AVOCET_STATUS_OK)
    avocet_fw_log(firmware, AVOCET_FIRMWARE_LOG_WARNING, "message refused",
                  (const struct avocet_fw_log_value[]){
                      {"type", message->type}, {"context", message->context}, {"status", status}, {0, 0}});
  avocet_fw_completion_write(firmware, &completion);
}

/* The next message, without taking it; false: there is none. */
static bool peek(struct avocet_firmware *firmware, struct avocet_message *message) {
  const struct avocet_firmware_port *port = firmware->port;
  uint32_t count;
  enum avocet_status status = avocet_fw_ring_available(port, &firmware->admin, &count);
  if (status == AVOCET_STATUS_OK && count == 0) return false;
  if (status == AVOCET_STATUS_OK &&
      !port->load(port->opaque, avocet_fw_ring_entry(&firmware->admin, firmware->admin.index), message, sizeof *message))
    status = AVOCET_STATUS_BUS_ERROR;
  if (status == AVOCET_STATUS_OK) return true;
  avocet_fw_halt(firmware, status, "admin ring unusable");
  return false;
}

static bool consume(struct avocet_firmware *firmware) {
  enum avocet_status status = avocet_fw_ring_consume(firmware->port, &firmware->admin);
  if (status != AVOCET_STATUS_OK) avocet_fw_halt(firmware, status, "admin ring unusable");
  return status == AVOCET_STATUS_OK;
}

/* Serves a message that was taken, as far as that goes; true when it was answered. */
static bool go_on(struct avocet_firmware *firmware, struct avocet_message *message, bool *open) {
  if (!avocet_fw_completion_room(firmware)) return false;
  int status = serve_message(firmware, message);
  if (status == WAITING) return false;
  if (!avocet_fw_completion_room(firmware)) { /* aborted jobs took the last entry: answer later, as done already */
    *message = (struct avocet_message){
        .type = AVOCET_MESSAGE_TYPE_PING, .request = message->request, .context = message->context};
    return false;
  }
  *open = false;
  answer(firmware, message, (uint32_t)status);
  if (message->type == AVOCET_MESSAGE_TYPE_SUSPEND && status == AVOCET_STATUS_OK)
    avocet_fw_set_state(firmware, AVOCET_FIRMWARE_STATE_SUSPENDED);
  return true;
}

/* A message waits. What may overtake it does; true when that was answered. */
static bool overtake(struct avocet_firmware *firmware) {
  if (!firmware->doorbell || firmware->urgent_open) return false;
  firmware->doorbell = peek(firmware, &firmware->urgent);
  if (!firmware->doorbell || firmware->urgent.type != AVOCET_MESSAGE_TYPE_RESET_ENGINE) return false;
  firmware->urgent_open = consume(firmware);
  return firmware->urgent_open && go_on(firmware, &firmware->urgent, &firmware->urgent_open);
}

bool avocet_fw_admin_serve(struct avocet_firmware *firmware) {
  if (firmware->urgent_open && go_on(firmware, &firmware->urgent, &firmware->urgent_open)) return true;
  if (!firmware->message_open) {
    if (!firmware->doorbell) return false;
    firmware->doorbell = peek(firmware, &firmware->message); /* there may be another one behind it */
    if (!firmware->doorbell || !consume(firmware)) return false;
    firmware->message_open = true;
  }
  return go_on(firmware, &firmware->message, &firmware->message_open) || (firmware->message_open && overtake(firmware));
}
