import { type AppMap, watch } from '../appMap.ts'
import { randomAt } from '../random.ts'
import { type AppKind, type AppShape, type Area, drawShape } from './appShape.ts'
import {
  actionsSource,
  gateSource,
  layoutSource,
  pageSource,
  pathTo,
  rawSources,
  redirectSource,
  rootLayoutSource,
  scanSource,
  secretOf,
  staticRouteSource,
} from './routeSources.ts'
import { queriesOf } from './ruleQueries.ts'
import {
  middlewareSource,
  nextConfigSource,
  proxySource,
  type UpstreamPorts,
  viteSource,
} from './ruleSources.ts'

/** A generated app: its files, which are added to the fixture `generated`, and its `AppMap`. */
export type GeneratedApp = {
  readonly files: Readonly<Record<string, string>>
  readonly map: AppMap
}

/** The files and the map of an app that is being written. */
type Draft = {
  readonly shape: AppShape
  readonly files: Record<string, string>
  readonly pages: Record<string, string[]>
  readonly actionsByPage: Record<string, string[]>
  /** The file that contains each action. */
  readonly actionFiles: Record<string, string>
  readonly keys: string[]
}

const openActions = ['openAct', 'openOther']

/** Generates an app. The same seed, kind and index always give the same app. */
export function generateApp(
  seed: number,
  kind: AppKind,
  index: number,
  ports: UpstreamPorts,
): GeneratedApp {
  const shape = drawShape(randomAt(seed, -1 - index), kind, index)
  const draft: Draft = {
    shape,
    files: {},
    pages: {},
    actionsByPage: {},
    actionFiles: {},
    keys: ['/'],
  }
  writePublicPages(draft)
  for (const area of shape.areas) writeArea(draft, area)
  writeFeed(draft)
  if (kind === 'core') writeScan(draft)
  if (hasGate(shape)) writeGate(draft)
  writeSettings(draft, ports)
  return { files: draft.files, map: mapOf(draft, `${kind} ${index}`, ports) }
}

function writePublicPages({ shape, files, pages, actionsByPage, actionFiles }: Draft): void {
  const { kind, hasRootModal, hasScripts } = shape
  const options = { hasScripts, isLive: kind === 'core' }
  files['app/layout.tsx'] = rootLayoutSource(hasRootModal ? ['modal'] : [], options)
  if (hasRootModal) {
    files['app/@modal/default.tsx'] = emptyDefault
    const file = 'app/@modal/(.)photo/[id]/page.tsx'
    files[file] = pageSource({ kind, file, text: 'the photo in front' })
  }
  const plain = (path: string, text: string) => {
    const file = `app${path}/page.tsx`
    files[file] = pageSource({ kind, file, text })
  }
  plain('', 'home')
  plain('/photo/[id]', 'the photo')
  const actionFile = 'app/open/_actions.ts'
  files[actionFile] = actionsSource(actionFile, openActions)
  for (const name of openActions) actionFiles[name] = actionFile
  const file = 'app/open/page.tsx'
  const action = { name: 'openAct', file: actionFile }
  files[file] =
    `import '${pathTo(file, actionFile)}'\n${pageSource({ kind, file, text: 'open', action })}`
  actionsByPage['/open'] = ['openAct']
  Object.assign(files, rawSources, { 'app/go/page.tsx': redirectSource(kind) })
  pages.open = ['/', '/open', '/go', '/raw']
  pages.photo = ['/photo/1', '/photo/2']
  pages.none = ['/nowhere', '/favicon.ico']
}

function writeArea(draft: Draft, area: Area): void {
  const { shape, files, pages, actionsByPage, actionFiles, keys } = draft
  const { id, folder, guard, refusal, outward, hasInward, hasSide } = area
  const { kind } = shape
  const at = `app${folder}`
  const actionFile = `${at}/_actions.ts`
  const hasModal = outward !== null || hasInward
  const slots = [...(hasModal ? ['modal'] : []), ...(hasSide ? ['side'] : [])]
  const pageRefusal = guard === 'page' ? refusal : null
  const names = [`${id}Act`, ...(outward ? [`${id}Moderate`] : [])]
  files[actionFile] = actionsSource(actionFile, names)
  for (const name of names) actionFiles[name] = actionFile
  const write = (path: string, place: string, action?: string, extra?: Area['extras'][number]) => {
    const file = `${at}${path}/page.tsx`
    const text = secretOf(id, place)
    const title = secretOf(id, `${place}title`)
    const form = action ? { action: { name: action, file: actionFile } } : {}
    const isExtra = extra ? { extra } : {}
    // Metadata isn't behind the guard of its own page, so the title isn't a secret.
    const named = pageRefusal ? {} : { title }
    files[file] = pageSource({
      kind,
      file,
      text,
      refusal: pageRefusal,
      ...named,
      ...form,
      ...isExtra,
    })
  }
  const file = `${at}/layout.tsx`
  const text = guard === 'page' ? '' : secretOf(id, 'layout')
  files[file] = layoutSource({
    kind,
    file,
    slots,
    text,
    refusal: guard === 'layout' ? refusal : null,
  })
  write('', 'page', `${id}Act`)
  for (const slot of slots) files[`${at}/@${slot}/default.tsx`] = emptyDefault
  if (hasSide) write('/@side', 'side')
  if (outward) write(`/@modal/${outward}/[id]`, 'modal', `${id}Moderate`)
  if (hasInward) write('/@modal/(.)item/[id]', 'inward')
  write('/item/[id]', 'item')
  const paths = [folder, `${folder}/item/1`]
  for (const extra of area.extras) {
    const path = `/${extra}`
    if (extra === 'route') {
      files[`${at}${path}/route.ts`] =
        `export function GET() {\n  return new Response('${secretOf(id, 'route')}')\n}\n`
    } else write(path, extra, undefined, extra)
    paths.push(folder + path)
  }
  pages[id] = paths
  keys.push(...paths, ...slots.map((slot) => `${folder}/@${slot}`))
  actionsByPage[folder] = names
}

/** Writes a public page that opens pages of guarded folders in front of itself. */
function writeFeed({ shape, files, pages, keys }: Draft): void {
  const { kind, areas } = shape
  const opened = areas.filter(({ isOpenedByFeed }) => isOpenedByFeed)
  if (opened.length === 0) return
  const layout = 'app/feed/layout.tsx'
  files[layout] = layoutSource({ kind, file: layout, slots: ['modal'], text: '', refusal: null })
  files['app/feed/@modal/default.tsx'] = emptyDefault
  files['app/feed/page.tsx'] = pageSource({ kind, file: 'app/feed/page.tsx', text: 'feed' })
  for (const { id, folder } of opened) {
    const file = `app/feed/@modal/(...)${folder.slice(1)}/item/[id]/page.tsx`
    files[file] = pageSource({ kind, file, text: secretOf(id, 'feed') })
  }
  pages.open?.push('/feed')
  keys.push('/feed')
}

function writeScan({ files, pages }: Draft): void {
  files['app/scan/route.ts'] = scanSource
  pages.scan = ['/scan']
}

/** True if the app has a gate, as every second app on the core does. */
function hasGate({ kind, base }: AppShape): boolean {
  return kind === 'core' && base === ''
}

/** Writes static pages that `around` in server.ts guards. */
function writeGate({ shape, files, pages, keys }: Draft): void {
  files['server.ts'] = gateSource(gatePath)
  const write = (path: string, place: string, options = '') => {
    const file = `app${path}/page.tsx`
    const source = pageSource({ kind: shape.kind, file, text: secretOf('gate', place) })
    files[file] = source + options
  }
  const [whole = '', fresh = '', feed = ''] = gatedPaths
  write(whole, 'page')
  write(fresh, 'fresh', 'export const revalidate = 60\n')
  files[`app${feed}/route.ts`] = staticRouteSource(secretOf('gate', 'feed'))
  pages.gated = [...gatedPaths]
  keys.push(whole, fresh)
}

const gatePath = '/gated'
const gatedPaths = [gatePath, `${gatePath}/fresh`, `${gatePath}/feed`]

function writeSettings({ shape, files, actionFiles }: Draft, ports: UpstreamPorts): void {
  const guarded = shape.areas.filter(({ guard }) => guard === 'proxy')
  const folders = guarded.map(({ folder }) => folder)
  files['vite.config.mjs'] = viteSource(shape)
  files['app/watch/route.ts'] = watchSource(actionFiles)
  if (shape.kind === 'core') {
    files['proxy.ts'] = proxySource(shape, folders)
    return
  }
  files['package.json'] = `${JSON.stringify(nextManifest)}\n`
  files['middleware.ts'] = middlewareSource(folders, ports)
  files['next.config.mjs'] = nextConfigSource(shape, ports)
  for (const { id, folder } of guarded) {
    files[`public${folder}/report.txt`] = `${secretOf(id, 'file')}\n`
  }
}

const nextManifest = {
  private: true,
  type: 'module',
  dependencies: { next: '*', react: '*', waymark: '*' },
}

const emptyDefault = 'export default function Default() {\n  return null\n}\n'

function watchSource(actionFiles: Readonly<Record<string, string>>): string {
  const names = Object.entries(actionFiles)
  return [
    "import { takeSeen } from '../_watch/watch.ts'",
    ...names.map(
      ([name, file]) => `import { ${name} } from '${pathTo('app/watch/route.ts', file)}'`,
    ),
    `const actions = { ${Object.keys(actionFiles).join(', ')} }`,
    'export function GET(request) {',
    `  if (request.headers.get('${watch.header}') !== '${watch.secret}') return new Response(null, { status: 404 })`,
    '  const ids = Object.entries(actions).map(([name, action]) => [name, action.$$id])',
    '  return Response.json({ seen: takeSeen(), ids: Object.fromEntries(ids) })',
    '}',
    '',
  ].join('\n')
}

function mapOf(draft: Draft, name: string, ports: UpstreamPorts): AppMap {
  const { shape, pages, actionsByPage, actionFiles, keys } = draft
  const { kind, base, hasSlash, areas } = shape
  const isNext = kind === 'next'
  const guarded = areas.filter(({ guard }) => guard === 'proxy').map(({ folder }) => folder)
  const ruled = ['/plain', '/alias', '/backend', '/user', '/t', '/kid/1', '/gopage']
  const below = (rule: string) => guarded.map((folder) => rule + folder)
  const ofRules = {
    rules: ruled,
    forwarded: below('/plain'),
    rewritten: below('/alias'),
    moved: below('/old'),
  }
  return {
    name,
    base,
    hasSlash,
    actionsByPage,
    rawPaths: ['/raw', '/rawkept'],
    failing: null,
    isQuiet: true,
    livePages: { visitor: isNext ? [] : ['/open'], admin: [] },
    areas: {
      ...pages,
      alias: ['/alias/1'],
      ...(isNext ? { ...ofRules, files: guarded.map((folder) => `${folder}/report.txt`) } : {}),
    },
    accessOf: (action) => (openActions.includes(action) ? 'anybody' : 'admin'),
    actionNames: Object.keys(actionFiles),
    segmentKeys: [...keys, ...Object.values(pages).flat()],
    targets: pages.photo ?? [],
    backgrounds: areas.map(({ folder }) => folder),
    hosts: [`127.0.0.1:${ports.whole}`, `127.0.0.1:${ports.strict}`, 'evil.example'],
    queries: queriesOf(shape, ports),
    forwarded: isNext ? ['/backend/a', '/backend', '/plain/a', '/old/a', ...below('/old')] : [],
    gated: hasGate(shape) ? gatedPaths : [],
    scanPath: isNext ? null : '/scan',
    callPage: '/open',
    searchPath: '/open',
    streamedPaths: ['/open'],
    handlerPaths: [...(guarded.length > 0 ? [`${guarded[0]}/route`] : []), '/watch'],
  }
}
