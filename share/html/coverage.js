// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Concurrency coverage of the campaign: how it grew, where its tasks are, and what was never seen.
'use strict';

ravel.percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 2 : 0)} %`;

ravel.coverageCurve = function (metric) {
  const of = metric.of !== null ? ` of ${ravel.grouped(metric.of)}` : '';
  return ravel.lineChart([[0, 0], ...metric.curve], {
    title: `${metric.name}: ${ravel.plural(metric.tasks, 'task')}${of}`,
    x: 'schedules',
    format: ravel.rate,
    formatX: ravel.rate,
    note:
      `Last new task in schedule ${ravel.grouped(metric.last_new)}; one schedule sees ${ravel.percent(metric.average)}; ` +
      `the next one shows something new with ${ravel.percent(metric.chance)} (95 %: below ${ravel.percent(metric.chance_at_most)}).`,
  });
};

ravel.coverageLists = function (coverage) {
  const lists = [
    ['Never seen', coverage.never_seen],
    [
      'Tasks by source line',
      coverage.lines.map(
        (line) => `${line.place}: ${ravel.plural(line.tasks, 'task')} (${line.metrics.join(', ')})`,
      ),
    ],
  ];
  return ravel.el(
    'section',
    {class: 'lists coverage-lists'},
    lists
      .filter(([, lines]) => lines.length)
      .map(([title, lines]) =>
        ravel.el(
          'div',
          {class: 'card'},
          ravel.el('h3', {}, title),
          ravel.el(
            'ul',
            {},
            lines.map((line) => ravel.el('li', {}, ravel.short(line, 300))),
          ),
        ),
      ),
  );
};

// null: nothing was measured.
ravel.coverageSection = function (coverage) {
  if (!coverage) return null;
  return ravel.el(
    'section',
    {class: 'coverage'},
    ravel.el('h2', {}, 'Concurrency coverage'),
    coverage.truncated ? ravel.el('p', {class: 'hint'}, 'Not complete: a table was full.') : null,
    ravel.el('section', {class: 'charts'}, coverage.metrics.filter((m) => m.curve.length).map(ravel.coverageCurve)),
    ravel.coverageLists(coverage),
  );
};
