// The stylesheets never change at run time, so the CSP can allow them by hash. Colours derive from
// the text colour, so that a screen fits any layout, light or dark.
const fonts =
  'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif'
const monospace = 'ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace'

export const screenStyle = [
  '.waymark-screen{box-sizing:border-box;width:100%;max-width:37rem;margin:0 auto;',
  'padding:clamp(3rem,12vh,8rem) min(1.5rem,7vw);color:inherit;',
  `font:400 1rem/1.6 var(--waymark-screen-font,${fonts});text-align:start;overflow-wrap:break-word}`,
  // Align the first digit with the text below it. From right to left, the letter spacing does that.
  '.waymark-screen-status{margin:0 0 0 -.04em;font-size:min(7.5rem,24vw);font-weight:200;',
  'line-height:1;letter-spacing:-.045em;font-variant-numeric:lining-nums;',
  'color:color-mix(in srgb,currentColor 54%,transparent)}',
  // Not every screen has a status number, so the line belongs to the heading.
  '.waymark-screen-heading{margin:0;padding-top:1.75rem;',
  'border-top:1px solid color-mix(in srgb,currentColor 18%,transparent);',
  'font-size:1.5rem;font-weight:600;line-height:1.3;letter-spacing:-.012em;text-wrap:balance}',
  '.waymark-screen-long{font-size:1.125rem;font-weight:500;line-height:1.5;letter-spacing:0;',
  'text-wrap:pretty}',
  '.waymark-screen-status+*{margin-top:1.25rem}',
  '.waymark-screen-sentence{margin:.75rem 0 0;max-width:32rem;text-wrap:balance;',
  'color:color-mix(in srgb,currentColor 74%,transparent)}',
  `.waymark-screen-digest{margin:1.25rem 0 0;font:400 .875rem/1.6 ${monospace};`,
  'font-variant-numeric:slashed-zero;color:color-mix(in srgb,currentColor 74%,transparent)}',
  '.waymark-screen-ways{display:flex;flex-wrap:wrap;gap:.25rem;margin:2.25rem 0 0}',
  // Make the first link stand out.
  '.waymark-screen-ways>:not([hidden]){box-sizing:border-box;display:inline-flex;',
  'align-items:center;min-height:44px;margin:0;',
  'padding:.5rem 1rem;border:1px solid #0000;',
  'border-radius:.5rem;background:none;color:inherit;font-family:inherit;',
  'font-size:.9375rem;font-weight:500;text-decoration:underline;cursor:pointer}',
  '.waymark-screen-ways>:first-child{border-color:currentColor;text-decoration:none}',
  '@media (hover:hover){.waymark-screen-ways>:hover{',
  'background:color-mix(in srgb,currentColor 8%,transparent)}}',
  '.waymark-screen-ways>:focus-visible{outline:2px solid}',
].join('')

/** Style of a document that shows only a screen. */
export const documentStyle = [
  ':root{color-scheme:light dark}',
  'body{margin:0;min-height:100vh;min-height:100dvh;display:grid;',
  'grid-template-columns:minmax(0,1fr);align-items:center;',
  'color:#1d1c1a;background:#fbfaf8;-webkit-text-size-adjust:100%;text-size-adjust:100%}',
  // Browsers without light-dark() keep the light colours.
  '@supports (color:light-dark(#000,#fff)){',
  'body{color:light-dark(#1d1c1a,#ecebe7);background:light-dark(#fbfaf8,#171715)}}',
  // The larger padding at the bottom places the screen slightly above the middle.
  'body>.waymark-screen{padding-bottom:clamp(4rem,20vh,13rem)}',
].join('')
