/** What stands in an element; nothing for what is left out. */
export type PanelChild = Node | string | null | false

type Props<Name extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Name], 'style' | 'children'>
>

/** Creates an element with its properties and children; text is never read as HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  props: Props<Name> = {},
  ...children: readonly PanelChild[]
): HTMLElementTagNameMap[Name] {
  const created = Object.assign(document.createElement(name), props)
  created.append(...children.filter((child) => child !== null && child !== false))
  return created
}

/** A button with a text. */
export function button(text: string, onclick: () => void, className = ''): HTMLButtonElement {
  return element('button', { type: 'button', className, onclick }, text)
}

/** A button with a sign, which its title explains. */
export function iconButton(icon: string, title: string, onclick: () => void): HTMLButtonElement {
  return element(
    'button',
    { type: 'button', className: 'quiet', title, ariaLabel: title, onclick },
    icon,
  )
}

/** A list of names and values. */
export function facts(pairs: readonly (readonly [name: string, value: PanelChild])[]): HTMLElement {
  const nonEmpty = pairs.filter(([, value]) => value !== null && value !== false && value !== '')
  return element(
    'dl',
    { className: 'facts' },
    ...nonEmpty.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  )
}

/** A table that scrolls by itself where it is too wide. */
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

/** A sentence where there is nothing to show, or why not. */
export function note(text: string, className = 'note'): HTMLElement {
  return element('p', { className }, text)
}

/** Bytes for a reader. */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  return `${(bytes / 1_000).toFixed(bytes < 100_000 ? 1 : 0)} kB`
}

/** A duration for a reader. */
export function timeText(ms: number): string {
  const seconds = ms / 1_000
  if (seconds < 1) return `${Math.round(ms)} ms`
  if (seconds < 60) return `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`
  return seconds < 3_600 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** A URL without the origin of this page. */
export function shortUrl(url: string): string {
  return url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : url
}
