import type { ThemeConfig } from './config.ts'

/*
 * The pre-paint script is text, not a function turned into text: what a compiler does to a
 * function's source would change its hash, and 500 bytes are the limit. script.test.ts holds it
 * against the pure functions, over their full table.
 *
 * All that varies by route stands in an attribute of its element, so that one hash in a
 * Content-Security-Policy serves all pages of an app.
 */
const opening = [
  // A block keeps `let` out of the page's globals.
  '{let d=document,e=d.documentElement,o=JSON.parse(d.currentScript.dataset.waymarkTheme),',
  'f=n=>o.t.find(t=>t[0]==n),p,s;',
  // The system is asked first: blocked storage throws, and must not cost the answer.
  'try{s=self.matchMedia?.("(prefers-color-scheme:dark)").matches;',
  'p=localStorage.getItem(o.k)}catch{}',
  'f(p)||(p="system");',
  // A theme that the route forces, the person's choice, the system's.
  'let[n,c=n,m]=f(o.f)||f(p)||f(s?"dark":"light");',
  'e.dataset.themePreference=p;e.style.colorScheme=c;',
  'for(let a of o.a)a=="class"?e.classList.add(n):e.setAttribute(a,n)',
]

const colors = ';for(let t of d.querySelectorAll("meta[name=theme-color]"))t.content=m'

/**
 * The text of the script that sets the theme before the first paint. It is the same on every
 * page of an app, so its hash can stand in a Content-Security-Policy.
 */
export function themeScript(config: ThemeConfig): string {
  const colored = config.themes.some((theme) => theme.color !== null)
  return `${opening.join('')}${colored ? colors : ''}}`
}
