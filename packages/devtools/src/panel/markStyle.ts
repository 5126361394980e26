/* Uses the colour scheme that the theme sets on the page's root. Sizes are in pixels, because an
   app may change its root's font size. The page's own rules can't override declarations with
   `!important`. */
export const markStyle = `
:host {
  all: initial !important;
  color-scheme: inherit !important;
  display: block !important;
  position: fixed !important;
  inset: auto auto 12px 12px !important;
  z-index: 2147483647 !important;
  overflow: visible !important;
  --paper: light-dark(#fcfcf9, #141816);
  --sunk: light-dark(#f4f4ee, #1a1f1c);
  --raised: light-dark(#ffffff, #1f2521);
  --ink: light-dark(#1b201d, #e6e9e4);
  --soft: light-dark(#4c544f, #aab3ac);
  --rule: light-dark(#e0e1d9, #2c332f);
  --strong: light-dark(#8a8e86, #6b756f);
  --blaze: light-dark(#f4b400, #f1bb31);
  --focus: light-dark(#8a5a00, #f1bb31);
  --good: light-dark(#1d6b43, #7cc79b);
  --turn: light-dark(#2b5c8a, #8ab8e3);
  --bad: light-dark(#a8321f, #f0907c);
}
:host([data-open]) { inset: auto 0 0 0 !important; }
.mark {
  all: unset;
  box-sizing: border-box;
  width: 28px;
  height: 28px;
  border-radius: 8px;
  display: grid;
  place-items: center;
  background: var(--raised);
  border: 1px solid var(--rule);
  box-shadow: 0 1px 3px #0003;
  cursor: pointer;
  opacity: .72;
}
.mark::before {
  content: '';
  width: 7px;
  height: 14px;
  border-radius: 2px;
  background: var(--blaze);
}
.mark:hover, .mark:focus-visible { opacity: 1; }
.mark:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
:host([data-open]) .mark { display: none; }
:host([data-faults]) .mark::before { background: var(--bad); }
@media print { :host { display: none !important; } }
@media (forced-colors: active) { .mark::before { forced-color-adjust: none; } }
`
