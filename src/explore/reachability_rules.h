// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The rules of reachability testing, each of which is needed. Variables, so that the tests can take one away and see
// the search fail; nothing else changes them.
#pragma once

namespace ravel {

struct ReachabilityRules {
  // Which rows there are (race_rows.h).
  bool old_calls = true;     // old calls are no alternatives to old events
  bool calls_left = true;    // a call that comes behind another change cannot be received
  bool blacken_past = true;  // what happens before a change is never changed
  bool control_past = true;  // ... as it will be, not by way of the call that it had received
  bool recollection = true;  // an old event whose object would receive in any case stays
  bool suspects = true;      // executions that do not count are analysed
  // What happens before what (steps.h, race_sets.h).
  bool leave_merge = true;  // a wait gives its mutex back: it comes before what the mutex receives next
  bool reply_merge = true;  // an answer comes before the caller goes on
  bool opened = true;       // who opened an inbox comes before what it receives next
  bool choice_past = true;  // what a signal chose is part of what its object has done
  bool time_past = true;    // what happens before time passes comes before what a time-out wakes
  bool withdrawal = true;   // a call that was withdrawn cannot be received any more
  bool in_order = true;     // messages of one sender do not overtake each other, where the port says so
};
extern ReachabilityRules reachability_rules;

}  // namespace ravel
