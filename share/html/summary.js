// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The first page: how the campaign (or the replay) ended, its numbers, curves and findings.
'use strict';

ravel.verdictOf = function (report) {
  const code = report.exit_code;
  if (code === 1)
    return {
      mood: 'bad',
      text: report.command === 'replay' ? 'reproduced' : ravel.plural(report.findings.length, 'finding'),
    };
  if (code === 0)
    return {
      mood: 'good',
      text: report.command === 'replay' ? report.verdict : report.complete ? 'no defect, complete' : 'no defect',
    };
  const words = {3: 'could not test', 4: 'internal error', 5: 'inconclusive', 130: 'interrupted'};
  return {mood: 'warn', text: report.verdict || words[code] || `exit code ${code}`};
};

ravel.summaryPage = function (data, open) {
  const report = data.report;
  const page = ravel.el('div', {class: 'summary'});
  page.append(ravel.summaryHead(report));
  if (report.command === 'run') page.append(ravel.campaignCards(report));
  else page.append(ravel.replayCards(report));
  page.append(ravel.findingList(report, open));
  if (report.command === 'run') page.append(ravel.campaignCharts(report));
  const coverage = ravel.coverageSection(data.coverage);
  if (coverage) page.append(coverage);
  const lists = [
    [
      'Explored parts',
      (report.explorations || []).map(
        (e) =>
          `${e.name || 'call ' + e.call}: ${ravel.plural(e.executions, 'execution')}, ${ravel.plural(e.distinct_traces, 'trace')}` +
          `${e.complete ? ', complete' : ''}${e.found ? ', ' + ravel.plural(e.found, 'finding') : ''}`,
      ),
    ],
    ['Counting', Object.entries(report.conventions || {}).map(([what, how]) => `${what}: ${how}`)],
    ['Strategy', report.strategy_note ? [report.strategy_note] : []],
    ['Notes', report.notes || []],
    [
      'Not controlled',
      (report.uncontrolled || []).map((u) => `${u.call} ${u.detail} at ${u.location.text} (${u.times}\u00d7)`),
    ],
    ['Predicted, not confirmed', (report.potential || []).map((f) => `${f.kind} ${f.message}`)],
    ['Not reproduced', report.not_confirmed || []],
  ];
  const shown = lists.filter(([, lines]) => lines.length);
  if (shown.length) {
    page.append(
      ravel.el(
        'section',
        {class: 'lists'},
        shown.map(([title, lines]) =>
          ravel.el(
            'div',
            {class: 'card'},
            ravel.el('h3', {}, title),
            ravel.el(
              'ul',
              {},
              lines.map((line) => ravel.el('li', {}, ravel.short(line, 600))),
            ),
          ),
        ),
      ),
    );
  }
  return page;
};

ravel.summaryHead = function (report) {
  const verdict = ravel.verdictOf(report);
  const words = [report.program, ...(report.arguments || [])].map(ravel.quoted).join(' ');
  return ravel.el(
    'section',
    {class: `banner ${verdict.mood}`},
    ravel.el('h1', {}, verdict.text),
    ravel.el('p', {class: 'subject', title: words}, ravel.short(words, 200)),
    report.reason ? ravel.el('p', {class: 'reason'}, ravel.short(report.reason, 1000)) : null,
  );
};

ravel.card = (name, value, hint) =>
  ravel.el(
    'div',
    {class: 'card number'},
    ravel.el('span', {class: 'value'}, value),
    ravel.el('span', {class: 'name'}, name),
    hint ? ravel.el('span', {class: 'hint', title: hint}, ravel.short(hint, 90)) : null,
  );

ravel.campaignCards = (report) =>
  ravel.el(
    'section',
    {class: 'cards'},
    ravel.card(
      'schedules',
      ravel.grouped(report.executions),
      report.complete ? 'every behaviour was covered' : 'not exhaustive',
    ),
    ravel.card(
      'different traces',
      ravel.grouped(report.distinct_traces),
      report.executions ? `${Math.round((100 * report.distinct_traces) / report.executions)} % of the schedules` : '',
    ),
    ravel.card(
      'schedules a second',
      ravel.rate(report.executions_per_second),
      `${report.seconds.toFixed(2)} s, isolation ${report.isolation}`,
    ),
    ravel.card('strategy', ravel.short(report.strategy, 24), `seed ${report.seed}, points ${report.points}`),
    ravel.card('decisions', ravel.rate(report.decisions), `${ravel.rate(report.steps)} steps`),
    ravel.card('threads', report.threads_max, 'at most, in one execution'),
  );

ravel.replayCards = (report) =>
  ravel.el(
    'section',
    {class: 'cards'},
    ravel.card('outcome', report.outcome, report.expected ? `the plan promised ${report.expected}` : ''),
    ravel.card('events', ravel.grouped(report.events), `${ravel.grouped(report.steps)} steps`),
    ravel.card('runs', ravel.grouped(report.runs), report.mismatches ? `${report.mismatches} differed` : 'all equal'),
    ravel.card('trace', report.hash.slice(0, 8), 'hash of the canonical trace'),
  );

ravel.findingList = function (report, open) {
  const section = ravel.el(
    'section',
    {class: 'findings'},
    ravel.el('h2', {}, report.findings.length ? 'Findings' : 'No findings'),
  );
  report.findings.forEach((finding, i) => {
    section.append(
      ravel.el(
        'button',
        {class: 'card finding-link', onclick: () => open(i)},
        ravel.el('span', {class: 'kind'}, finding.kind),
        ravel.el('span', {class: 'message'}, ravel.short(finding.message, 300)),
        ravel.el(
          'span',
          {class: 'where', title: ravel.short(finding.location.text || '', 500)},
          ravel.shortPlace(finding.location.text || ''),
        ),
        ravel.el(
          'span',
          {class: 'hint'},
          [
            ravel.plural(finding.switches, 'switch', 'es'),
            ravel.plural(finding.preemptions, 'preemption'),
            finding.times_seen
              ? `seen ${ravel.grouped(finding.times_seen)}\u00d7, first in schedule ${ravel.grouped(finding.execution)}`
              : '',
          ]
            .filter(Boolean)
            .join(' \u00b7 '),
        ),
      ),
    );
  });
  return section;
};

ravel.campaignCharts = function (report) {
  const section = ravel.el('section', {class: 'charts'});
  const curve = [{seconds: 0, executions: 0, distinct_traces: 0, found: 0}, ...report.curve];
  if (report.curve.length > 0 && report.executions > 0) {
    section.append(
      ravel.lineChart(
        curve.map((s) => [s.executions, s.distinct_traces]),
        {
          title: 'New traces',
          x: 'schedules',
          format: ravel.rate,
          formatX: ravel.rate,
          diagonal: true,
          note: 'Along the thin line every schedule shows something new; a flat curve says that little new is left to find this way.',
        },
      ),
    );
    section.append(
      ravel.lineChart(
        curve.map((s) => [s.seconds, s.executions]),
        {
          title: 'Schedules over time',
          x: 'seconds',
          format: ravel.rate,
          formatX: (x) => (x < 1 ? x.toFixed(2) : x.toFixed(1)),
        },
      ),
    );
  }
  const operations = Object.entries(report.operations || {})
    .filter((row) => row[1] > 0)
    .sort((a, b) => b[1] - a[1]);
  if (operations.length) section.append(ravel.barChart(operations.slice(0, 12), 'Operations executed'));
  return section;
};
