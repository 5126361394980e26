import { posix } from 'node:path'
import { adminRole, otherResult } from '../appMap.ts'
import type { AppKind, Extra } from './appShape.ts'

/** Prefix of each text that only an administrator may see. The part after the prefix is unique. */
const mark = 'GUARDED_'

/**
 * Returns a unique guarded text for a place in an area. The text consists of letters and digits.
 */
export function secretOf(area: string, place: string): string {
  return `${mark}${area}${place}`
}

/** The description of a page to write. */
export type PageSource = {
  readonly kind: AppKind
  /** Path of the page's file, relative to the app's root. */
  readonly file: string
  readonly text: string
  readonly title?: string
  /** The function that the page calls to refuse visitors, if the page has its own guard. */
  readonly refusal?: 'forbidden' | 'unauthorized' | null
  /** The action of the page's form, and the file that contains it. */
  readonly action?: { readonly name: string; readonly file: string }
  readonly extra?: Extra
}

/** Writes a page's source: its text, its form and its rendering mode. */
export function pageSource(page: PageSource): string {
  const { kind, file, text, title, refusal = null, action, extra } = page
  const lines: string[] = [...guardImports(kind, file, refusal)]
  if (action) lines.push(`import { ${action.name} } from '${pathTo(file, action.file)}'`)
  if (extra === 'stream' || extra === 'partial') lines.push("import { Suspense } from 'react'")
  if (extra === 'cached' && kind === 'core') lines.push("import { cached } from 'waymark/server'")
  if (extra === 'partial') lines.push("export const dynamic = 'partial'")
  if (extra === 'partial') lines.push("import { cookies } from 'waymark/server'")
  if (extra === 'kept') lines.push('export const revalidate = 60')
  if (title) lines.push(`export const metadata = { title: '${title}' }`)
  if (extra && extra !== 'kept' && extra !== 'route') lines.push(partSource(extra, text, kind))
  const isWhole = extra === undefined || extra === 'kept' || extra === 'route'
  const content = isWhole ? `<p>${text}</p>` : `<Suspended />`
  const form = action ? `<form action={${action.name}}><button>Go</button></form>` : ''
  lines.push(
    `export default async function Page() {`,
    ...(refusal ? [`  if (!(await isAdmin())) ${refusal}()`] : []),
    `  return <main>${content}${form}</main>`,
    '}',
  )
  return `${lines.join('\n')}\n`
}

function partSource(extra: 'partial' | 'cached' | 'stream', text: string, kind: AppKind): string {
  switch (extra) {
    case 'cached':
      return kind === 'next'
        ? `async function Suspended() {\n  'use cache'\n  return <p>${text}</p>\n}`
        : `const Suspended = cached(async () => <p>${text}</p>)`
    case 'stream':
      return [
        'function Suspended() {',
        `  return <Suspense fallback={<p>${text}wait</p>}><Part /></Suspense>`,
        '}',
        'async function Part() {',
        '  await new Promise((resolve) => setTimeout(resolve, 5))',
        `  return <p>${text}late</p>`,
        '}',
      ].join('\n')
    case 'partial':
      return [
        'function Suspended() {',
        `  return <><p>${text}shell</p><Suspense fallback={<p>…</p>}><Part /></Suspense></>`,
        '}',
        'async function Part() {',
        `  return <p>${text}hole {(await cookies()).get('name')?.value}</p>`,
        '}',
      ].join('\n')
  }
}

/**
 * Writes a layout's source.
 * @param slots names of slots other than `children`
 * @param text a text that the layout shows
 */
export function layoutSource(layout: {
  readonly kind: AppKind
  readonly file: string
  readonly slots: readonly string[]
  readonly text: string
  readonly refusal: 'forbidden' | 'unauthorized' | null
}): string {
  const { kind, file, slots, text, refusal } = layout
  const names = ['children', ...slots]
  return [
    ...guardImports(kind, file, refusal),
    `export default async function Layout({ ${names.join(', ')} }) {`,
    ...(refusal ? [`  if (!(await isAdmin())) ${refusal}()`] : []),
    `  return <section>${text && `<i>${text}</i>`}${names.map((name) => `{${name}}`).join('')}</section>`,
    '}',
    '',
  ].join('\n')
}

export function rootLayoutSource(
  slots: readonly string[],
  { hasScripts, isLive }: { readonly hasScripts: boolean; readonly isLive: boolean },
): string {
  const names = ['children', ...slots]
  const children = names.map((name) => `{${name}}`).join('')
  return [
    ...(hasScripts ? ["import { Script } from 'waymark/script'"] : []),
    ...(isLive ? ['export const live = true'] : []),
    `export default function RootLayout({ ${names.join(', ')} }) {`,
    `  return <html lang="en"><body>${children}${hasScripts ? '<Script text="0" when="start" />' : ''}</body></html>`,
    '}',
    '',
  ].join('\n')
}

/** Writes a file of actions, each of which reports its run. */
export function actionsSource(file: string, names: readonly string[]): string {
  const actions = names.map(
    (name) =>
      `export async function ${name}(...values) {\n  await note('${name}', values.length)\n  return '${name}'\n}`,
  )
  const lines = ["'use server'", `import { note } from '${pathTo(file, watchFile)}'`, ...actions]
  return `${lines.join('\n')}\n`
}

const watchFile = 'app/_watch/watch.ts'

function guardImports(kind: AppKind, file: string, refusal: string | null): string[] {
  if (refusal === null) return []
  const from = kind === 'core' ? 'waymark' : 'next/navigation'
  return [
    `import { ${refusal} } from '${from}'`,
    `import { isAdmin } from '${pathTo(file, watchFile)}'`,
  ]
}

/** Returns the import specifier for a file of the app, relative to another file of the app. */
export function pathTo(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

/**
 * Pages that show text from a client unescaped. The text comes from a query, appears in a late
 * part, or is in a cached page.
 */
export const rawSources: Readonly<Record<string, string>> = {
  'app/raw/page.tsx': [
    "import { Suspense } from 'react'",
    "import { Original } from '../_lib/original.tsx'",
    'export default async function Raw({ searchParams }) {',
    '  const { h, late } = await searchParams',
    '  const html = { __html: String(h ?? "") }',
    '  return <main><Original /><div dangerouslySetInnerHTML={html} />{late ? <Waiting /> : null}</main>',
    '}',
    'function Waiting() {',
    '  return <Suspense fallback={<p>waiting</p>}><Streamed /></Suspense>',
    '}',
    'async function Streamed() {',
    '  await new Promise((resolve) => setTimeout(resolve, 20))',
    '  return <p>late</p>',
    '}',
    '',
  ].join('\n'),
  'app/rawkept/[h]/page.tsx': [
    "import { Original } from '../../_lib/original.tsx'",
    'export const revalidate = 60',
    'export default async function RawKept({ params }) {',
    "  const text = Buffer.from((await params).h, 'base64url').toString()",
    '  return <main><Original /><div dangerouslySetInnerHTML={{ __html: text }} /></main>',
    '}',
    '',
  ].join('\n'),
}

/** Writes a page that redirects to the path in its query, but only within the site. */
export function redirectSource(kind: AppKind): string {
  return [
    `import { redirect } from '${kind === 'core' ? 'waymark' : 'next/navigation'}'`,
    'export default async function Go({ searchParams }) {',
    '  const { to } = await searchParams',
    // An app that redirects to a path in a query must refuse absolute URLs itself.
    "  if (typeof to !== 'string' || /^https?:/i.test(to)) return <p>nowhere</p>",
    '  redirect(to)',
    '}',
    '',
  ].join('\n')
}

/** Writes a `server.ts` whose `around` lets only admins into a folder. */
export function gateSource(folder: string): string {
  return [
    'export default {',
    '  around(request, handle) {',
    '    const { pathname } = new URL(request.url)',
    `    const isGated = pathname === '${folder}' || pathname.startsWith('${folder}/')`,
    `    const isAdmin = request.headers.get('cookie')?.includes('role=${adminRole}') === true`,
    "    return isGated && !isAdmin ? new Response('refused', { status: 403 }) : handle()",
    '  },',
    '}',
    '',
  ].join('\n')
}

/** Writes a static route handler. */
export function staticRouteSource(text: string): string {
  return [
    "export const dynamic = 'force-static'",
    'export const revalidate = 60',
    `export const GET = () => new Response('${text}')`,
    '',
  ].join('\n')
}

/**
 * A route handler that reads a file with a cached and an uncached function, and compares the two
 * results.
 */
export const scanSource = [
  "import { cached } from 'waymark/server'",
  'const scan = async (file) => JSON.stringify([file.name, file.type, await file.text()])',
  'const scanCached = cached(scan)',
  'export async function GET(request) {',
  '  const { searchParams } = new URL(request.url)',
  "  const [name, type, content] = ['n', 't', 'c'].map((each) => searchParams.get(each) ?? '')",
  '  const file = new File([content], name, { type, lastModified: 1 })',
  '  const isSame = (await scanCached(file)) === (await scan(file))',
  `  return new Response(isSame ? 'the same' : '${otherResult}')`,
  '}',
  '',
].join('\n')
