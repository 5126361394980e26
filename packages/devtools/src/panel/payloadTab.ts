import { devtoolsLoad } from '../events/events.ts'
import { bytesText, element, facts, note, table } from './element.ts'
import { type FlightRow, readFlightRows, withoutFrames } from './flightRows.ts'
import { appPathname, PanelError, panelBasePath } from './panelRequests.ts'
import type { PanelTab } from './panelTab.ts'

const maxRows = 12

/** Shows the rows in the page's data, and their sizes. */
export const payloadTab: PanelTab = {
  id: 'payload',
  title: 'Payload',
  async render({ view, page }) {
    const { search } = page()
    const pathname = appPathname(page())
    const path = `${panelBasePath}/_waymark/data${pathname === '/' ? '' : pathname}.rsc${search}`
    const headers = { 'waymark-load': devtoolsLoad }
    const response = await view.fetch(path, { cache: 'no-store', headers }).catch(() => null)
    if (!response) throw new PanelError('The page’s data could not be loaded.')
    const type = response.headers.get('content-type') ?? ''
    if (!type.startsWith('text/x-component')) {
      return note(`This URL has no page data. ${path} responded with ${response.status} ${type}.`)
    }
    const bytes = withoutFrames(new Uint8Array(await response.arrayBuffer()))
    const rows = readFlightRows(bytes)
    const sent = rows.filter(({ isDevOnly }) => !isDevOnly)
    const total = sent.reduce((sum, row) => sum + row.bytes, 0)
    return element(
      'div',
      {},
      facts([
        ['In a build', `less than ${bytesText(total)} in ${sent.length} rows, before compression`],
        ['Here', `${bytesText(bytes.length)}, including React’s additions in development`],
        ['From', element('code', {}, path)],
      ]),
      element(
        'div',
        { className: 'columns' },
        element('div', {}, element('h3', {}, 'By kind'), kindsTable(rows, total)),
        element('div', {}, element('h3', {}, 'Largest rows'), largestTable(sent, bytes)),
      ),
    )
  },
}

function kindsTable(rows: readonly FlightRow[], total: number): HTMLElement {
  const kinds = [...new Set(rows.map(({ kind }) => kind))].map((kind) => {
    const rowsOfKind = rows.filter((row) => row.kind === kind)
    return {
      kind,
      count: rowsOfKind.length,
      isDevOnly: rowsOfKind.every((row) => row.isDevOnly),
      bytes: rowsOfKind.reduce((sum, row) => sum + row.bytes, 0),
    }
  })
  kinds.sort((a, b) => Number(a.isDevOnly) - Number(b.isDevOnly) || b.bytes - a.bytes)
  return table(
    'Rows by kind',
    ['Kind', 'Rows', 'Size', 'Share'],
    kinds.map(({ kind, count, bytes, isDevOnly }) => [
      kind,
      String(count),
      bytesText(bytes),
      isDevOnly ? element('small', {}, 'development only') : bar(bytes / total),
    ]),
  )
}

function bar(share: number): HTMLElement {
  const made = element('span', { className: 'bar', role: 'img' })
  made.ariaLabel = `${Math.round(share * 100)} % of the payload`
  // Set the style with a script, because the app's content security policy may block style
  // attributes.
  made.style.setProperty('--share', String(share))
  return made
}

function largestTable(rows: readonly FlightRow[], bytes: Uint8Array): HTMLElement {
  const decoder = new TextDecoder()
  const largest = rows.toSorted((a, b) => b.bytes - a.bytes).slice(0, maxRows)
  return table(
    'Largest rows',
    ['Row', 'Kind', 'Size', 'Starts with'],
    largest.map((row) => [
      element('code', {}, row.id),
      row.kind,
      bytesText(row.bytes),
      element(
        'code',
        { className: 'start' },
        decoder.decode(bytes.subarray(row.start, row.start + 80)),
      ),
    ]),
  )
}
