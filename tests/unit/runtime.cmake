# Parts of the runtime on hand-made states: what lies around them is the test's own (support/runtime_fixture.h).
set(runtime ${PROJECT_SOURCE_DIR}/src/runtime)
target_sources(${target} PRIVATE support/runtime_fixture.cc ${runtime}/platform/raw.cc ${runtime}/state/state.cc ${runtime}/state/spin_watch.cc
  ${runtime}/record/points.cc
  ${runtime}/schedule/clock.cc ${runtime}/schedule/data_choice.cc ${runtime}/schedule/decision.cc ${runtime}/schedule/enabled.cc
  ${runtime}/schedule/faults.cc ${runtime}/schedule/gate.cc ${runtime}/schedule/idle.cc ${runtime}/schedule/ready_set.cc ${runtime}/schedule/schedule_log.cc
  ${runtime}/schedule/spin_point.cc ${runtime}/signals/delivery.cc ${runtime}/sync/misuse.cc ${runtime}/sync/virtual_condvar.cc
  ${runtime}/sync/virtual_mutex.cc ${runtime}/sync/virtual_semaphore.cc ${runtime}/sync/wait_begin.cc)
