/*
 * What a screen's own document does with scripts; text for the same reasons as the pre-paint
 * script: its hash must be stable, and no file of the app may be needed.
 */
const lines = [
  // Back shows itself only where it works.
  '{let b=document.querySelector("[data-waymark-back]");',
  'if(history.length>1){b.hidden=false;b.onclick=()=>history.back()}',
  // Following the theme is running the pre-paint script again; a copy of it runs when inserted.
  'let f=()=>{let o=document.querySelector("script[data-waymark-theme]"),',
  'n=document.createElement("script");if(o){n.dataset.waymarkTheme=o.dataset.waymarkTheme;',
  'n.text=o.text;o.replaceWith(n)}};',
  'self.matchMedia?.("(prefers-color-scheme:dark)").addEventListener("change",f);',
  'addEventListener("storage",f);addEventListener("pageshow",e=>e.persisted&&f())}',
]

/** The script at the end of a screen's document; its hash can stand in a Content-Security-Policy. */
export const screenScript = lines.join('')
