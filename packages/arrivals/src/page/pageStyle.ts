const fonts =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif'
const monospace = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace'

const colours = `
:root { color-scheme: light dark;
  --ink: #1d1c1a; --paper: #fbfaf8; --soft: #6a6761; --line: #e2dfd8; --fill: #f2f0eb;
  --good: #39786b; --bad: #b5452c; --fair: #8a6410 }
@media (prefers-color-scheme: dark) { :root {
  --ink: #ecebe7; --paper: #171715; --soft: #a3a099; --line: #34332f; --fill: #201f1d;
  --good: #6fb3a3; --bad: #ec8a6f; --fair: #d9b25c } }
@media print { :root { color-scheme: light;
  --ink: #000; --paper: #fff; --soft: #555; --line: #ccc; --fill: #fff;
  --good: #39786b; --bad: #b5452c; --fair: #8a6410 } }`

const texts = `
* { box-sizing: border-box }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100% }
body { max-width: 68rem; margin: 0 auto; padding: clamp(1.5rem, 5vw, 4rem) clamp(1rem, 4vw, 3rem);
  color: var(--ink); background: var(--paper); font: 400 1rem/1.5 ${fonts};
  font-variant-numeric: tabular-nums lining-nums; overflow-wrap: break-word }
h1, h2, h3, p, dl, dd, figure, pre { margin: 0 }
h1 { font-size: 1.5rem; font-weight: 600; line-height: 1.3; letter-spacing: -.012em }
h2 { padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1.0625rem;
  font-weight: 600; line-height: 1.4 }
section { margin-top: 3rem }
code, pre, .digest, h3 { font-family: ${monospace}; font-size: .875em;
  font-variant-numeric: slashed-zero }
a { color: inherit; text-decoration: underline; text-decoration-color: var(--soft);
  text-underline-offset: .2em }
a:focus-visible { outline: 2px solid; outline-offset: 2px }
.note, .period, footer, .empty { color: var(--soft) }
.note { margin-top: .25rem; max-width: 42rem; font-size: .875rem }
.name { color: var(--soft); font-size: .875rem }
.period { margin-top: .25rem; font-size: .9375rem }
.period code { margin-inline-start: .75rem; color: var(--ink) }
.empty { margin-top: 3rem }
footer { margin-top: 4rem; padding-top: 1.25rem; border-top: 1px solid var(--line);
  font-size: .875rem }`

const figures = `
.figures { display: flex; flex-wrap: wrap; gap: 1.5rem 2.5rem; align-items: start;
  margin-top: 2.5rem }
.figures > div { display: flex; flex-direction: column-reverse }
.figures dt { color: var(--soft); font-size: .875rem }
.figures dd { font-size: 1.375rem; line-height: 1.2 }
.figures + .figures { gap: 1.25rem 3rem; margin-top: 1.75rem }
.figures .large { flex: 0 1 auto; margin-inline-end: 2.5rem }
.figures .large dd { font-size: clamp(3.5rem, 9.5vw, 6.5rem); font-weight: 200; line-height: 1;
  letter-spacing: -.045em; text-indent: -.04em; white-space: nowrap }
.figures .large small { margin-inline-start: .12em; color: var(--soft); font-size: .4em;
  font-weight: 300; letter-spacing: 0 }`

const charts = `
.chart { margin-top: 3rem; padding-top: 1.25rem; border-top: 1px solid var(--line) }
.marks, .plot, .ticks { position: relative; margin-inline-start: 3.75rem }
.marks { margin-bottom: .375rem }
.marks a, .mark { min-width: 1.25rem; height: 1.25rem; padding: 0 .3rem; border-radius: .625rem;
  background: var(--ink); color: var(--paper); font-size: .75rem; font-weight: 600;
  line-height: 1.25rem; text-align: center; text-decoration: none }
.marks a { position: absolute; transform: translateX(-50%) }
.mark { display: inline-block; margin-inline-end: .5rem }
.plot svg { display: block; width: 100%; overflow: visible; border-bottom: 1px solid var(--line) }
.shares svg { height: 6.5rem; border-top: 1px dashed var(--line) }
.loads { margin-top: 1rem }
.loads svg { height: 8rem }
.plot span { position: absolute; right: calc(100% + .6rem); color: var(--soft);
  font-size: .75rem; line-height: 1; white-space: nowrap }
.plot .top { top: 0 }
.plot .bottom { bottom: 0 }
.share { fill: none; stroke: var(--good); stroke-width: 2; vector-effect: non-scaling-stroke;
  stroke-linejoin: round; stroke-linecap: square }
.deploy { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3;
  vector-effect: non-scaling-stroke }
rect.arrived, .key.arrived { fill: var(--good); background: var(--good) }
rect.short, .key.short { fill: var(--bad); background: var(--bad) }
.ticks { height: 1.5rem; color: var(--soft); font-size: .75rem }
.ticks span { position: absolute; top: .375rem; white-space: nowrap }
.key { display: inline-block; width: .625rem; height: .625rem; margin-inline-end: .35rem;
  border-radius: 2px; print-color-adjust: exact; -webkit-print-color-adjust: exact }
figcaption { margin-top: 1rem; color: var(--soft); font-size: .875rem }
rect, .meter, .mark, .marks a { print-color-adjust: exact; -webkit-print-color-adjust: exact }`

const tables = `
table { width: 100%; margin-top: .75rem; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .55rem 0 .55rem 1.25rem; border-bottom: 1px solid var(--line);
  text-align: end; vertical-align: baseline; font-weight: 400; white-space: nowrap }
th:first-child, td:first-child { padding-inline-start: 0; text-align: start; white-space: normal }
thead th { color: var(--soft); font-size: .8125rem }
.wide { text-align: start; white-space: normal }
tbody .wide { color: var(--soft); font-size: .875rem }
th small { display: flex; flex-wrap: wrap; gap: 0 .75rem; font-size: .8125rem }
strong { font-weight: 600 }
strong.whole { font-weight: 400 }
.all > * { border-bottom: 0; font-weight: 600 }
.all .wide { font-weight: 400 }
td.none, div.none { color: var(--soft) }
em { font-size: .8125rem; font-style: normal }
em.fair { color: var(--fair) }
em.poor { color: var(--bad) }
tr:target > *, article:target { background: var(--fill) }`

const lists = `
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
  gap: 0 3.5rem }
.amounts { margin-top: .75rem; font-size: .9375rem }
.amounts > div { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .5rem 0 }
.amounts dt small { margin-inline-start: .6rem; color: var(--soft); font-size: .8125rem }
.amounts dd small { display: inline-block; min-width: 4.25rem; color: var(--soft);
  text-align: end; font-size: .8125rem }
.meter { grid-column: 1 / -1; height: 3px; margin-top: .35rem; border-radius: 2px;
  background: var(--line) }
.meter i { display: block; height: 100%; min-width: 2px; border-radius: 2px;
  background: var(--bad) }
.none .meter i { min-width: 0 }
.meter .page, .meter .fallback { background: var(--good) }
article { margin: 1.5rem -.75rem 0; padding: .75rem; border-radius: .375rem;
  scroll-margin-top: 1rem }
h3 { font-size: .9375rem; font-weight: 600 }
pre { margin-top: .5rem; padding: .875rem 1rem; border-radius: .375rem;
  border: 1px solid var(--line); background: var(--fill); font-size: .8125rem; line-height: 1.55;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2 }
pre::first-line { font-weight: 600 }`

/** On a narrow screen, each row becomes a separate block. */
const narrow = `
@media (max-width: 44rem) {
  .figures + .figures { display: grid; grid-template-columns: 1fr 1fr; gap: 1.25rem }
  .marks, .plot, .ticks { margin-inline-start: 3rem }
  .ticks span:nth-child(even) { display: none }
  .stacked thead { position: absolute; width: 1px; height: 1px; overflow: hidden;
    clip-path: inset(50%) }
  .stacked tr { display: grid; grid-template-columns: repeat(3, 1fr); gap: .5rem 1rem;
    padding: .875rem 0; border-bottom: 1px solid var(--line) }
  .stacked tr > * { padding: 0; border: 0; text-align: start; overflow-wrap: anywhere }
  .stacked td.none { display: none }
  .stacked.vitals tr { grid-template-columns: repeat(4, 1fr) }
  .stacked th, .stacked .wide { grid-column: 1 / -1 }
  .stacked td::before { content: attr(data-label); display: block; color: var(--soft);
    font-size: .75rem; font-weight: 400 }
  .amounts dt small { display: block; margin: 0 }
}`

const print = `
@page { margin: 16mm 14mm }
@media print {
  html { font-size: 9.5pt }
  body { max-width: none; padding: 0 }
  .figures .large dd { font-size: 44pt }
  th, td { padding: .4rem 0 .4rem .75rem }
  td.wide { min-width: 8rem }
  a { text-decoration: none }
  section { margin-top: 2rem }
  h2, h3 { break-after: avoid }
  figure, tr, .amounts > div, .columns { break-inside: avoid }
  thead { display: table-header-group }
  article { margin-inline: 0; padding-inline: 0; background: none }
}`

export const pageStyle = [colours, texts, figures, charts, tables, lists, narrow, print].join('\n')
