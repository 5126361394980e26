/** Style sheet for the panel. Its colours are defined in `markStyle.ts`. */
export const panelStyle = `
.panel {
  box-sizing: border-box;
  position: fixed;
  inset: auto 0 0 0;
  height: min(100dvh - 48px, var(--size));
  display: grid;
  grid-template: auto 1fr / minmax(0, 1fr);
  background: var(--paper);
  color: var(--ink);
  border-top: 1px solid var(--rule);
  box-shadow: 0 -8px 32px #0002;
  font: 400 13px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif;
  font-variant-numeric: tabular-nums;
  text-align: start;
  overflow-wrap: anywhere;
}
@media (width >= 900px) {
  .panel {
    inset: auto 12px 12px 12px;
    max-width: 1100px;
    margin-inline: auto;
    border: 1px solid var(--rule);
    border-radius: 10px;
    overflow: clip;
  }
}
.panel[data-side=right] {
  inset: 0 0 0 auto;
  width: min(100vw - 48px, var(--size));
  height: auto;
  margin: 0;
  border: 0;
  border-inline-start: 1px solid var(--rule);
  border-radius: 0;
}
.panel[data-side=right] .columns { grid-template-columns: 1fr; }
.panel[data-side=right] .head { flex-wrap: wrap; }
.panel[data-side=right] .tabs { order: 1; flex-basis: 100%; }
.panel[data-side=right] .blaze { margin-inline-end: auto; }
.panel[data-shrunk] { inset: auto 0 0 auto; width: auto; height: auto; border-top: 1px solid var(--rule); }
.panel[data-shrunk] :is(.body, .edge) { display: none; }
.edge { position: absolute; inset: 0 0 auto; height: 7px; cursor: ns-resize; touch-action: none; }
.panel[data-side=right] .edge { inset: 0 auto 0 0; width: 7px; height: auto; cursor: ew-resize; }
.edge:hover { background: var(--blaze); opacity: .6; }
@media (prefers-reduced-motion: no-preference) {
  .panel { animation: rise .14s ease-out; }
  @keyframes rise { from { translate: 0 12px; opacity: 0; } }
}
.panel.whole { position: static; height: 100dvh; max-width: none; border: 0; border-radius: 0; box-shadow: none; animation: none; }
.path { margin: 0 !important; padding: 10px 16px; background: var(--paper); color: var(--ink); font: 400 13px/1.5 system-ui, sans-serif; }
.path + .panel.whole { height: calc(100dvh - 50px); }
* { box-sizing: border-box; }
.head {
  display: flex;
  align-items: center;
  gap: 4px;
  padding: 0 8px 0 12px;
  background: var(--sunk);
  border-bottom: 1px solid var(--rule);
}
.blaze { flex: none; width: 6px; height: 14px; border-radius: 2px; background: var(--blaze); margin-inline-end: 6px; }
.tabs { display: flex; flex: 1; min-width: 0; overflow-x: auto; scrollbar-width: none; mask: linear-gradient(90deg, #000 calc(100% - 20px), #0004); }
button, select, input { font: inherit; color: inherit; }
[role=tab] {
  appearance: none;
  flex: none;
  background: none;
  border: 0;
  border-bottom: 2px solid transparent;
  padding: 10px 10px 8px;
  color: var(--soft);
  cursor: pointer;
}
[role=tab]:hover { color: var(--ink); }
[role=tab][aria-selected=true] { color: var(--ink); border-color: var(--blaze); font-weight: 600; }
.quiet { flex: none; background: none; border: 0; padding: 6px 8px; min-width: 30px; color: var(--soft); cursor: pointer; border-radius: 5px; }
.quiet:hover { color: var(--ink); background: var(--paper); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: -2px; border-radius: 4px; }
.body { overflow: auto; padding: 16px; overscroll-behavior: contain; scrollbar-width: thin; }
.body[aria-busy=true] > * { opacity: .75; }
h2 { margin: 0 0 8px; font-size: 16px; line-height: 1.3; font-weight: 600; }
h3 { margin: 0 0 8px; font-size: 13px; font-weight: 600; }
p { margin: 0 0 10px; max-width: 68ch; text-wrap: pretty; }
.lead, .note, small { color: var(--soft); }
.bad { color: var(--bad); white-space: pre-wrap; }
small { font-size: 12px; }
code, pre, .file, .start { font: 400 12px/1.55 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; font-variant-ligatures: none; }
pre { margin: 0 0 10px; padding: 8px 10px; background: var(--sunk); border-radius: 6px; overflow-x: auto; white-space: pre; }
pre.message { white-space: pre-wrap; color: var(--bad); }
.columns { display: grid; gap: 20px 32px; }
@media (width >= 720px) { .columns { grid-template-columns: 1fr 1fr; } }
.columns > div { min-width: 0; }
.badge { display: inline-block; padding: 1px 9px; border-radius: 99px; border: 1px solid currentColor; font-size: 13px; }
.badge.static, .badge.live { color: var(--good); }
.badge.partial, .badge.dynamic { color: var(--turn); }
.badge.failed, .badge.behind { color: var(--bad); }
.why { border-inline-start: 3px solid var(--blaze); padding-inline-start: 12px; margin-bottom: 12px; }
.why p { margin-bottom: 6px; }
.facts { display: grid; grid-template-columns: auto 1fr; gap: 4px 14px; margin: 0 0 12px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }
.file { appearance: none; background: none; border: 0; padding: 1px 0; text-align: start; cursor: pointer; text-decoration: underline; text-decoration-color: var(--strong); text-underline-offset: 3px; overflow-wrap: anywhere; }
.file:hover { text-decoration-color: currentColor; }
.files, .stack { margin: 0; padding: 0; list-style: none; }
.files li { padding: 4px 0; border-top: 1px solid var(--rule); }
.files li:first-child { border: 0; }
.stack { margin-bottom: 10px; }
.stack li { padding: 1px 0; font-size: 12px; }
.faint { color: var(--soft); }
.line { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; margin: 0 0 12px; }
input[type=text], select {
  background: var(--raised);
  border: 1px solid var(--strong);
  border-radius: 6px;
  padding: 4px 8px;
  min-height: 28px;
}
.line button, .detail button:not(.file), .tag {
  background: var(--raised);
  border: 1px solid var(--strong);
  border-radius: 6px;
  padding: 3px 10px;
  min-height: 28px;
  cursor: pointer;
}
.line button:hover, .tag:hover { border-color: var(--ink); }
.line button.strong { background: var(--ink); color: var(--paper); border-color: var(--ink); }
.tags { display: flex; flex-wrap: wrap; gap: 4px; }
.tag { padding: 0 8px; min-height: 24px; border-radius: 99px; font-size: 12px; }
.wide { overflow-x: auto; margin-bottom: 12px; }
.wide table { min-width: 480px; }
table { border-collapse: collapse; width: 100%; }
th { text-align: start; font-weight: 400; color: var(--soft); font-size: 12px; padding: 0 12px 4px 0; white-space: nowrap; }
td { border-top: 1px solid var(--rule); padding: 5px 12px 5px 0; vertical-align: top; }
td:first-child { max-width: 42ch; }
@media (width >= 720px) { td:nth-child(n+2):nth-last-child(n+2) { white-space: nowrap; } }
td .tags { flex-wrap: wrap; }
td code { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.bar { display: block; min-width: 60px; height: 6px; margin-top: 6px; border-radius: 3px; background: linear-gradient(90deg, var(--blaze) calc(var(--share) * 100%), var(--rule) 0); }
.rows > details { border-top: 1px solid var(--rule); }
summary { cursor: pointer; padding: 7px 0; }
.rows > details > summary small { display: block; padding-inline-start: 14px; }
.detail { padding: 0 0 12px 14px; }
.faults { display: grid; gap: 8px 20px; margin-bottom: 14px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); }
.fault { border: 1px solid var(--rule); border-radius: 8px; padding: 8px 12px 10px; background: var(--raised); }
.fault.on { border-color: var(--bad); box-shadow: inset 3px 0 var(--bad); }
.fault label { display: flex; justify-content: space-between; align-items: center; gap: 12px; font-weight: 600; margin-bottom: 4px; }
.fault select { font-weight: 400; max-width: 62%; }
.badge.arrived { color: var(--good); }
.badge.notice, .badge.pending { color: var(--turn); }
.badge.screen { color: var(--bad); }
.load { display: grid; grid-template-columns: auto auto 1fr; align-items: baseline; gap: 2px 10px; list-style: none; }
.load::-webkit-details-marker { display: none; }
.load code { overflow-wrap: anywhere; }
.load small, .rows > details > .load small { grid-column: 1 / -1; padding: 0; }
.load > .timeline { grid-column: 1 / -1; margin-top: 4px; }
.took { justify-self: end; color: var(--soft); white-space: nowrap; }
.timeline { position: relative; display: block; height: 12px; border-radius: 3px; background: var(--sunk); overflow: clip; }
.span { position: absolute; top: 1px; height: 4px; border-radius: 2px; left: calc(var(--from) * 100%); width: calc(var(--width) * 100%); background: var(--turn); opacity: .8; }
.span.browser { top: 7px; background: var(--blaze); }
.span.deadline { top: 0; height: 12px; background: var(--bad); }
.spans { list-style: none; margin: 0; padding: 0; }
.spans li { display: grid; grid-template-columns: minmax(110px, 180px) 1fr 64px; gap: 12px; align-items: center; padding: 2px 0; }
.spans .timeline { height: 8px; }
.spans .span { top: 2px; }
.legend { display: flex; gap: 16px; }
.legend span::before { content: ''; display: inline-block; width: 12px; height: 4px; border-radius: 2px; margin-inline-end: 6px; vertical-align: middle; background: var(--turn); }
.legend .browser::before { background: var(--blaze); }
.state.use { color: var(--good); }
.state.waste, .state.fail { color: var(--bad); }
.state.nothing { color: var(--soft); }
.contract h2 code { font-size: 14px; font-weight: 600; }
.contract .facts { grid-template-columns: minmax(88px, auto) 1fr; }
.contract h3 { margin-top: 16px; }
.contract > div > h3:first-child { margin-top: 0; }
.snug table { min-width: 0; width: auto; }
.snug td:first-child { min-width: 102px; }
.snug :is(th, td) { padding-inline-end: 18px; }
.outcome { display: inline-block; padding-inline-start: 15px; }
.snug .outcome { white-space: nowrap; }
.outcome.untried { color: var(--soft); }
.outcome::before { content: ''; display: inline-block; width: 8px; height: 8px; margin-inline: -15px 7px; border-radius: 99px; border: 1.5px solid var(--strong); vertical-align: 1px; }
.outcome.untried::before { border-style: dotted; }
.outcome.admitted::before { border-color: var(--good); background: var(--good); }
.items { margin: 0 0 16px; padding: 0; list-style: none; }
.items li { padding: 7px 0; border-top: 1px solid var(--rule); }
.items li:first-child { border: 0; padding-top: 0; }
.items small { display: block; color: var(--soft); }
.items .facts { margin: 2px 0; grid-template-columns: minmax(132px, auto) 1fr; }
.name { font-weight: 600; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; margin: 0; }
`
