import { element, facts, note, type PanelChild } from './element.ts'
import { appPathname, editorButton, read } from './panelRequests.ts'
import type { PanelTab } from './panelTab.ts'

type Explained = {
  readonly pathname: string
  readonly pattern?: string
  readonly params?: Readonly<Record<string, string | readonly string[]>>
  readonly kind?: string
  readonly appDir?: string
  readonly files?: readonly string[]
  readonly interceptions?: readonly { readonly from: string; readonly file: string }[]
  readonly rendering?: {
    readonly kind: 'static' | 'partial' | 'dynamic' | 'failed'
    readonly reason: string | null
    readonly place: { file: string; line: number; column: number; code: string } | null
  }
}

const meanings = {
  static: 'The build renders this page once, for all visitors.',
  partial: 'The build renders the shell of this page. Each request fills in the rest.',
  dynamic: 'This page is rendered for each request.',
  failed: "This page can't be rendered without a request.",
} as const

/** Shows the files in the page's route, and if the build renders the page. */
export const routeTab: PanelTab = {
  id: 'route',
  title: 'Route',
  async render({ page }) {
    const pathname = appPathname(page())
    const explained = await read<Explained>('route', { pathname })
    const { rendering, files = [], appDir = '', params = {}, interceptions = [] } = explained
    if (!rendering)
      return note(
        `No route matches ${pathname}. The response is the not-found screen with status 404.`,
      )
    const paramTexts = Object.entries(params).map(
      ([name, value]) => `${name} = ${[value].flat().join('/')}`,
    )
    return element(
      'div',
      { className: 'columns' },
      element(
        'div',
        {},
        element(
          'h2',
          {},
          element('span', { className: `badge ${rendering.kind}` }, rendering.kind),
        ),
        note(meanings[rendering.kind], 'lead'),
        reasonOf(rendering, appDir),
        facts([
          ['URL', element('code', {}, pathname)],
          ['Pattern', element('code', {}, explained.pattern ?? '')],
          ['Params', paramTexts.length > 0 && element('code', {}, paramTexts.join(', '))],
          ['Kind', explained.kind ?? ''],
        ]),
      ),
      element(
        'div',
        {},
        element('h3', {}, 'Files, from the root down'),
        fileList(appDir, files),
        ...interceptions.flatMap(({ from, file }) => [
          element('h3', {}, `Shown instead when navigating from below ${from}`),
          fileList(appDir, [file]),
        ]),
      ),
    )
  },
}

function fileList(appDir: string, files: readonly string[]): PanelChild {
  const items = files.map((file) =>
    element('li', {}, editorButton({ file: `${appDir}/${file}` }, file)),
  )
  return element('ol', { className: 'files' }, ...items)
}

function reasonOf(
  { reason, place }: NonNullable<Explained['rendering']>,
  appDir: string,
): PanelChild {
  if (reason === null) return null
  const folder = appDir.replace(/[^/]*$/, '')
  return element(
    'div',
    { className: 'why' },
    element('p', {}, 'Why: ', element('strong', {}, reason)),
    place &&
      element('p', {}, editorButton(place, `${place.file.replace(folder, '')}:${place.line}`)),
    place && element('pre', { tabIndex: 0 }, place.code),
  )
}
