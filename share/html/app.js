// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Puts the page together: tabs, theme, keys, and the address (#finding=1&event=25), so that a place can be passed on.
'use strict';

ravel.keyHelp = [
  ['\u2193 \u2191  j k', 'next, previous event'],
  ['\u2192 \u2190  l h', 'next, previous event of the same thread'],
  ['.  ,', 'next, previous event of the same object'],
  ['s  S', 'next, previous context switch'],
  ['n  N', 'next, previous decisive event'],
  ['Home End', 'first, last event'],
  ['/', 'search; Enter: next match, Esc: leave'],
  ['o', 'only the object under the cursor'],
  ['a', 'arrows: all, of the cursor, none'],
  ['b', 'background events'],
  ['d', 'space-time diagram: threads and objects of synchronisation'],
  ['0 \u2026 9', 'summary, first finding, ...'],
  ['t', 'theme'],
];

ravel.App = class {
  constructor(data) {
    this.data = data;
    this.page = null;
    this.main = document.getElementById('main');
    const report = data.report,
      verdict = ravel.verdictOf(report);
    const name = ravel.short(ravel.baseName(report.program), 60);
    document.title = `${name}: ${verdict.text} \u2013 Ravel`;
    document.getElementById('program').textContent = name;
    const chip = document.getElementById('verdict');
    chip.textContent = verdict.text;
    chip.classList.add(verdict.mood);
    this.makeTabs();
    this.theme = 'auto';
    document.getElementById('theme').addEventListener('click', () => this.nextTheme());
    this.showTheme();
    this.help = document.getElementById('help');
    this.help.append(
      ravel.el('h2', {}, 'Keys'),
      ravel.el(
        'table',
        {},
        ravel.keyHelp.map(([key, what]) =>
          ravel.el('tr', {}, ravel.el('td', {}, ravel.el('kbd', {}, key)), ravel.el('td', {}, what)),
        ),
      ),
      ravel.el('form', {method: 'dialog'}, ravel.el('button', {class: 'chip on'}, 'close')),
    );
    document.getElementById('help-button').addEventListener('click', () => this.help.showModal());
    document.addEventListener('keydown', (event) => this.key(event));
    window.addEventListener('hashchange', () => this.follow());
    this.follow();
  }

  makeTabs() {
    const tabs = document.getElementById('tabs');
    const add = (text, index) =>
      tabs.append(ravel.el('button', {role: 'tab', 'data-tab': index, onclick: () => this.open(index)}, text));
    add('Summary', -1);
    const findings = this.data.report.findings;
    findings
      .slice(0, 30)
      .forEach((finding, i) => add(findings.length === 1 ? finding.kind : `${i + 1} ${finding.kind}`, i));
    if (findings.length === 0 && this.data.timeline_of_replay !== null) add('Trace', 0);
  }

  // Page -1 is the summary.
  open(index, event = null) {
    const findings = this.data.report.findings;
    const finding = findings[index] || null;
    const trace = finding ? this.data.timeline_of_finding[index] : index === 0 ? this.data.timeline_of_replay : null;
    if (index >= 0 && !finding && trace === null) index = -1;
    if (this.page && this.page.close) this.page.close();
    for (const tab of document.querySelectorAll('[data-tab]'))
      tab.setAttribute('aria-selected', Number(tab.dataset.tab) === index ? 'true' : 'false');
    this.index = index;
    document.body.classList.toggle('full', index >= 0);
    if (index < 0) {
      this.page = null;
      this.main.replaceChildren(ravel.summaryPage(this.data, (i) => this.open(i)));
      this.address('');
      return;
    }
    this.page = new ravel.FindingPage(
      this.data,
      finding,
      trace === null ? null : this.data.timelines[trace],
      (selected) => this.address(`finding=${index + 1}&event=${selected}`),
    );
    this.main.replaceChildren(this.page.node);
    if (this.page.trace) this.page.start(event);
    else this.address(`finding=${index + 1}`);
  }

  address(text) {
    this.hash = text ? `#${text}` : '';
    history.replaceState(null, '', this.hash || location.pathname + location.search);
  }

  follow() {
    if (location.hash && location.hash === this.hash) return;
    const words = new URLSearchParams(location.hash.slice(1));
    const finding = Number(words.get('finding') || 0),
      event = words.get('event');
    this.open(finding - 1, event === null ? null : Number(event));
  }

  nextTheme() {
    this.theme = {auto: 'light', light: 'dark', dark: 'auto'}[this.theme];
    this.showTheme();
  }
  showTheme() {
    document.documentElement.dataset.theme = this.theme;
    document.getElementById('theme').textContent = {auto: '\u25d0', light: '\u25cb', dark: '\u25cf'}[this.theme];
    if (this.page && this.page.minimap) this.page.minimap.draw();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const at = event.target;
    if (at instanceof HTMLInputElement && at.type !== 'checkbox') return;
    if (at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement) return;
    if (event.key === '?') this.help.showModal();
    else if (event.key === 't') this.nextTheme();
    else if (/^\d$/.test(event.key)) this.open(Number(event.key) - 1);
    else if (!(this.page && this.page.trace && this.page.key(event))) return;
    event.preventDefault();
  }
};

ravel.begin = performance.now();
ravel.app = new ravel.App(JSON.parse(document.getElementById('data').textContent));
document.documentElement.dataset.ready = String(Math.round(performance.now() - ravel.begin));
