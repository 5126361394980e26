import path from 'node:path'
import { type ESTree, normalizePath, type Plugin, parseSync } from 'vite'
import { lineCounter } from './move/readSource.ts'

const routeFile = /\/(?:page|layout|template|default|route)\.[cm]?[jt]sx?$/

/** Options without effect, and what there is instead. */
const absentOptions: Readonly<Record<string, string>> = {
  instant: 'nothing checks what a navigation shows first. Put what takes time into Suspense.',
  prefetch: 'each link decides for itself. Write <Link prefetch={false}>.',
  ensureStatic: "write export const dynamic = 'error', and a build fails where a request is used.",
  dynamicStaleTime: 'a visit by a link fetches what is dynamic again.',
}

const absentExport =
  /^export\s+(?:const|let|var)\s+((?:unstable_)?(instant|prefetch|ensureStatic|dynamicStaleTime))\b/gm

/** What is to be said of a route file: a line for each option of which nothing comes. */
export function segmentNotes(code: string): string[] {
  return [...code.matchAll(absentExport)].map(
    ({ 0: { length }, 1: name, 2: option = '', index }) =>
      `${lineCounter(code)(index + length - 1)}: ${name} is not there: ${absentOptions[option]}`,
  )
}

/** Options that ask for a place or a limit of a hosting service, and those that `fetch` reads. */
const removedOptions = ['preferredRegion', 'maxDuration', 'runtime', 'fetchCache']

/**
 * Loads the cache of `fetch` with each route file, tells it what layouts and pages export, and takes
 * away the exports that Waymark refuses.
 * @param appDir absolute
 */
export function segmentPlugin(appDir: string): Plugin {
  const folder = `${normalizePath(path.resolve(appDir))}/`
  return {
    name: 'next-names:segments',
    enforce: 'pre',
    transform: {
      // Before Waymark's own look at client files.
      order: 'pre',
      filter: { id: /\.[cm]?[jt]sx?(?:$|\?)/ },
      handler(code, id) {
        const [file = ''] = id.split('?')
        if (this.environment.name !== 'rsc' || !file.startsWith(folder)) return null
        const isHandler = /\/route\.\w+$/.test(file)
        if (!routeFile.test(file) || id.endsWith('?handlers') !== isHandler) return null
        const name = path.posix.join(path.basename(folder), file.slice(folder.length))
        const stripped = withoutClientOptions(file, code)
        // A build reads each file twice.
        const { warnOnce } = this.environment.getTopLevelConfig().logger
        for (const note of [...segmentNotes(code), ...stripped.notes]) warnOnce(`${name}:${note}`)
        return {
          code: stripped.notes.length ? stripped.code : withSegmentOptions(file, code),
          map: null,
        }
      },
    },
  }
}

/** Options that a route file of the server may export. */
const segmentOptions: ReadonlySet<string> = new Set([
  'dynamic',
  'dynamicParams',
  'revalidate',
  'expire',
  'statusDeadlineMs',
  ...removedOptions,
])

/**
 * Takes the options out of a route file with `'use client'`, where they have no effect: what such a
 * file exports, the server can't read.
 * @returns the code, with nothing moved, and a note for each
 */
export function withoutClientOptions(
  file: string,
  code: string,
): { readonly code: string; readonly notes: readonly string[] } {
  const { program, errors } = parseRouteFile(file, code)
  if (errors.length > 0 || !isClientFile(program)) return { code, notes: [] }
  const notes: string[] = []
  let stripped = code
  for (const { start, end, names } of exportedVariables(program)) {
    if (!names.every((name) => segmentOptions.has(name))) continue
    stripped = stripped.slice(0, start) + ' '.repeat(end - start) + stripped.slice(end)
    notes.push(
      `${lineCounter(code)(start)}: ${names.join(', ')} has no effect in a file with 'use client'. Export it from a server component: from a layout beside it, or from a page that renders this one.`,
    )
  }
  return { code: stripped, notes }
}

/**
 * Rewrites a route file. Nothing moves to another line.
 * @param code as its author wrote it
 */
export function withSegmentOptions(file: string, code: string): string {
  const { program, errors } = parseRouteFile(file, code)
  if (errors.length > 0 || isClientFile(program)) return code
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = []
  const options: string[] = []
  for (const { start, end, names } of exportedVariables(program)) {
    options.push(...names.filter((name) => name === 'fetchCache' || name === 'revalidate'))
    if (names.every((name) => removedOptions.includes(name))) edits.push({ start, end, text: '' })
  }
  const entered = `$$enterSegment({ ${options.join(', ')} });`
  for (const body of options.length > 0 ? segmentBodies(program) : []) {
    edits.push(
      body.type === 'BlockStatement'
        ? { ...placeIn(body), text: `;${entered}` }
        : {
            start: body.start,
            end: body.end,
            text: `(${entered.slice(0, -1)}, ${code.slice(body.start, body.end)})`,
          },
    )
  }
  let edited = code
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    edited = edited.slice(0, start) + text + edited.slice(end)
  }
  return `${edited}\nimport { enterSegment as $$enterSegment, installFetch as $$installFetch } from 'next/internal/fetch';\n$$installFetch();\n`
}

function parseRouteFile(file: string, code: string) {
  const lang = /\.[cm]?ts$/.test(file) ? 'ts' : 'tsx'
  const { program, errors } = parseSync(file, code, { lang })
  return { program, errors: errors.filter(({ severity }) => severity === 'Error') }
}

/** What a file exports as variables; `end` is where its text goes on without `export`. */
function exportedVariables({ body }: ESTree.Program) {
  return body.flatMap((node) => {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : null
    if (declared?.type !== 'VariableDeclaration') return []
    const names = declared.declarations.map(({ id }) => (id.type === 'Identifier' ? id.name : ''))
    return [{ start: node.start, end: declared.start, names }]
  })
}

function isClientFile({ body }: ESTree.Program): boolean {
  return body.some((node) => 'directive' in node && node.directive === 'use client')
}

/** Directives stay the first. */
function placeIn({ body, start }: ESTree.BlockStatement) {
  const directives = body.filter((node) => 'directive' in node && node.directive)
  const at = directives.at(-1)?.end ?? start + 1
  return { start: at, end: at }
}

type Body = ESTree.BlockStatement | ESTree.Expression

/** Bodies of the default export, and of what runs beside it. */
function segmentBodies(program: ESTree.Program): Body[] {
  const functions = new Map<string, Body>()
  const wanted = new Set(['generateMetadata', 'generateViewport'])
  const bodies: Body[] = []
  const declare = (node: unknown): void => {
    const typedNode = node as ESTree.Node | null | undefined
    if (typedNode?.type === 'FunctionDeclaration' && typedNode.id && typedNode.body)
      functions.set(typedNode.id.name, typedNode.body)
    if (typedNode?.type !== 'VariableDeclaration') return
    for (const { id, init } of typedNode.declarations) {
      const body = bodyOf(init)
      if (id.type === 'Identifier' && body) functions.set(id.name, body)
    }
  }
  for (const node of program.body) {
    if (node.type === 'ExportNamedDeclaration') declare(node.declaration)
    else if (node.type === 'ExportDefaultDeclaration') {
      const { declaration } = node
      const body = bodyOf(declaration)
      if (body) bodies.push(body)
      else if (declaration.type === 'Identifier') wanted.add(declaration.name)
    } else declare(node)
  }
  return [...bodies, ...[...wanted].flatMap((name) => functions.get(name) ?? [])]
}

function bodyOf(node: unknown): Body | null {
  const typedNode = node as ESTree.Node | null | undefined
  switch (typedNode?.type) {
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return (typedNode.body as Body | null) ?? null
    default:
      return null
  }
}
