/*
 * The dev server's overlay is a custom element with colours of its own, for dark only, in custom
 * properties and parts. Here they follow the colour scheme of the page.
 */
const colors = {
  'window-background': ['#fff', '#181818'],
  'window-color': ['#1d1c1a', '#d8d8d8'],
  red: ['#b3261e', '#ff5555'],
  yellow: ['#7a5200', '#e2aa53'],
  purple: ['#6b35a8', '#cfa4ff'],
  cyan: ['#00647d', '#2dd9da'],
  dim: ['#55534e', '#c9c9c9'],
}

const overlay = 'vite-error-overlay'

const overlayStyle = [
  `${overlay}{`,
  ...Object.entries(colors).map(
    ([name, [light, dark]]) => `--${name}:light-dark(${light},${dark});`,
  ),
  '}',
  `${overlay}::part(backdrop){background:light-dark(#0006,#000a)}`,
  `${overlay}::part(tip){color:light-dark(#55534e,#a3a3a3)}`,
].join('')

const themed = new WeakSet<Document>()

/** Also for an overlay that appears later. */
export function themeOverlay(document: Document): void {
  if (themed.has(document)) return
  themed.add(document)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(overlayStyle)
  document.adoptedStyleSheets.push(sheet)
}
