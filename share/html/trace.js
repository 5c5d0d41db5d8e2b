// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One execution with what can be asked of it: which events are shown under the present filters (rows), locks held,
// arrows, neighbours. Events are named by index; `first` more is the number that `ravel replay --until` takes.
'use strict';

ravel.Bits = {order: 7, failed: 8, timeout: 16, spurious: 32, chosen: 64, waited: 128};
ravel.orders = ['relaxed', 'consume', 'acquire', 'release', 'acq_rel', 'seq_cst'];

ravel.Trace = class {
  constructor(timeline, operations, roles) {
    this.first = timeline.first_event;
    this.threads = timeline.threads;
    this.places = timeline.places;
    this.objects = timeline.objects;
    this.values = timeline.values;
    this.operations = operations;
    this.waits = timeline.waits;
    this.files = timeline.files;
    this.outcome = timeline.outcome;
    this.failingThread = timeline.failing_thread;
    this.failingPlace = timeline.failing_place;
    this.edgesExact = timeline.edges_exact;
    const e = timeline.events;
    this.size = e.thread.length;
    this.thread = Uint32Array.from(e.thread);
    this.kind = Uint8Array.from(e.kind);
    this.bits = Uint8Array.from(e.bits);
    this.quiet = Uint8Array.from(e.quiet);
    this.place = Uint32Array.from(e.place);
    this.object = Uint32Array.from(e.object);
    this.value = Uint32Array.from(e.value);
    this.locks = timeline.locks.map(([thread, object, from, to, shared]) => ({thread, object, from, to, shared: !!shared}));
    this.assignSlots();
    this.edges = timeline.edges.map(([from, to, wakes]) => ({from, to, wakes: !!wakes}));
    this.roles = new Map();
    for (const role of roles) {
      const index = role.event - this.first;
      if (index >= 0 && index < this.size) this.roles.set(index, role.text);
    }
    this.usedThreads = this.threadsInUse();
    this.filter = {threads: new Set(this.usedThreads), classes: null, object: 0, quiet: false};
    this.update();
    if (this.rows.length === 0) this.setFilter({quiet: true});
  }

  operation(i) { return this.operations[this.kind[i]][0]; }
  operationClass(i) { return this.operations[this.kind[i]][1]; }
  objectText(i) { return this.objects[this.object[i]]; }
  valueText(i) { return this.values[this.value[i]]; }
  placeOf(i) { return this.places[this.place[i]]; }
  threadTitle(index) {
    const thread = this.threads[index];
    if (!thread) return `T${index}`;
    return `T${index} ${thread.lineage}` + (thread.name ? ` \u201c${thread.name}\u201d` : '');
  }
  describe(i) {
    return [this.operation(i), this.objectText(i), this.valueText(i)].filter(Boolean).join(' ');
  }

  threadsInUse() {
    const seen = new Set(this.thread);
    for (const wait of this.waits) seen.add(wait.thread);
    if (this.failingThread !== null) seen.add(this.failingThread);
    return [...seen].sort((a, b) => a - b);
  }

  // Bars of locks that one thread holds at the same time stand side by side.
  assignSlots() {
    const open = new Map();
    this.slots = new Map();
    for (const lock of this.locks) {
      const ends = open.get(lock.thread) || [];
      open.set(lock.thread, ends);
      let slot = ends.findIndex((end) => end < lock.from);
      if (slot < 0) slot = ends.length;
      ends[slot] = lock.to;
      lock.slot = slot;
      this.slots.set(lock.thread, Math.max(this.slots.get(lock.thread) || 0, slot + 1));
    }
  }

  setFilter(change) {
    Object.assign(this.filter, change);
    this.update();
  }

  passes(i) {
    const f = this.filter;
    if (!f.threads.has(this.thread[i])) return false;
    if (this.roles.has(i)) return true;
    if (!f.quiet && this.quiet[i]) return false;
    if (f.object && this.object[i] !== f.object) return false;
    return !(f.classes && !f.classes.has(this.operationClass(i)));
  }

  // rows: indices of the events shown. rowBefore[i]: how many of them come before event i.
  update() {
    const rows = new Uint32Array(this.size);
    this.rowBefore = new Uint32Array(this.size + 1);
    let count = 0;
    for (let i = 0; i < this.size; ++i) {
      this.rowBefore[i] = count;
      if (this.passes(i)) rows[count++] = i;
    }
    this.rowBefore[this.size] = count;
    this.rows = rows.subarray(0, count);
  }

  isShown(i) { return this.rowBefore[i + 1] > this.rowBefore[i]; }
  rowOf(i) { return this.rowBefore[i]; }
  // The event shown at or after i, else the last one; -1 if none is shown.
  nearestShown(i) {
    if (this.rows.length === 0) return -1;
    return this.rows[Math.min(this.rowBefore[Math.max(0, Math.min(i, this.size))], this.rows.length - 1)];
  }

  // The first shown event from `i` on in direction `step` that `wanted` takes; -1 if there is none.
  seek(i, step, wanted) {
    let row = this.rowBefore[Math.max(0, i)] + (step > 0 ? (i >= 0 && this.isShown(i) ? 1 : 0) : -1);
    for (; row >= 0 && row < this.rows.length; row += step) {
      if (wanted(this.rows[row])) return this.rows[row];
    }
    return -1;
  }

  heldAt(i) {
    return this.locks.filter((lock) => lock.thread === this.thread[i] && lock.from <= i && i < lock.to);
  }

  isSwitch(i) {
    const row = this.rowOf(i);
    return row > 0 && this.thread[this.rows[row - 1]] !== this.thread[i];
  }

  // Objects by how often the shown threads use them.
  objectCounts() {
    const counts = new Map();
    for (let i = 0; i < this.size; ++i) {
      if (this.object[i] && !this.quiet[i]) counts.set(this.object[i], (counts.get(this.object[i]) || 0) + 1);
    }
    return [...counts].sort((a, b) => b[1] - a[1]);
  }

  classes() {
    const seen = new Set();
    for (let k = 0; k < this.size; ++k) seen.add(this.operationClass(k));
    return [...seen];
  }

  // Which kinds, objects, values and places hold the text is asked once, not of every event.
  matcher(text) {
    const needle = text.trim().toLowerCase();
    if (!needle) return null;
    const hits = (list, of) => Uint8Array.from(list, (item) => (of(item).toLowerCase().includes(needle) ? 1 : 0));
    const number = /^#?\d+$/.test(needle) ? Number(needle.replace('#', '')) - this.first : -1;
    const kinds = hits(this.operations, (row) => row[0]);
    const objects = hits(this.objects, (name) => name);
    const values = hits(this.values, (name) => name);
    const places = hits(this.places, (place) => `${place.text} ${place.function}`);
    const threads = hits(this.threads, (thread) => `t${thread.index} ${thread.lineage} ${thread.name}`);
    return (i) => i === number || kinds[this.kind[i]] || objects[this.object[i]] || values[this.value[i]] ||
                  places[this.place[i]] || threads[this.thread[i]];
  }
};
