/** Child of an element. `null` and `false` don't create a child. */
export type PanelChild = Node | string | null | false

type Props<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'style' | 'children'>
>

/** Creates an element with properties and children. Text is never parsed as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props<Name> = {},
  ...children: readonly PanelChild[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), props)
  created.append(...children.filter((child) => child !== null && child !== false))
  return created
}

/** Creates a button with a label. */
export function button(text: string, onclick: () => void, className = ''): HTMLButtonElement {
  return element('button', { type: 'button', className, onclick }, text)
}

/** Creates a button with an icon, and with a title that explains the button. */
export function iconButton(icon: string, title: string, onclick: () => void): HTMLButtonElement {
  return element(
    'button',
    { type: 'button', className: 'quiet', title, ariaLabel: title, onclick },
    icon,
  )
}

/** Creates a list of names and values. */
export function facts(pairs: readonly (readonly [name: string, value: PanelChild])[]): HTMLElement {
  const nonEmpty = pairs.filter(([, value]) => value !== null && value !== false && value !== '')
  return element(
    'dl',
    { className: 'facts' },
    ...nonEmpty.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}

/** Creates a table that scrolls if it is too wide. */
export function table(
  caption: string,
  columns: readonly string[],
  rows: readonly (readonly PanelChild[])[],
): HTMLElement {
  const head = element(
    'tr',
    {},
    ...columns.map((column) => element('th', { scope: 'col' }, column)),
  )
  const body = rows.map((cells) =>
    element('tr', {}, ...cells.map((cell) => element('td', {}, cell))),
  )
  const made = element(
    'table',
    {},
    element('caption', { className: 'unseen' }, caption),
    element('thead', {}, head),
    element('tbody', {}, ...body),
  )
  return element('div', { className: 'wide', tabIndex: 0, role: 'group', ariaLabel: caption }, made)
}

/** Creates a paragraph that tells why a tab has nothing to show. */
export function note(text: string, className = 'note'): HTMLElement {
  return element('p', { className }, text)
}

/** Formats a number of bytes. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return `${(bytes / 1_000).toFixed(bytes < 100_000 ? 1 : 0)} kB`
}

/** Formats a duration. */
export function timeText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 1) return `${Math.round(ms)} ms`
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** Returns a URL without the origin of this page. */
export function shortUrl(url: string): string {
  return url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : url
}
