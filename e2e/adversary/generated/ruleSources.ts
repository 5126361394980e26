import { adminRole } from '../appMap.ts'
import type { AppShape } from './appShape.ts'

/** Ports of the harness's servers to which a rewrite may forward. */
export type UpstreamPorts = {
  /** Port of the server that accepts any path. */
  readonly whole: number
  /** Port of the server that accepts only paths with a certain prefix, which the rules add. */
  readonly strict: number
}

/** A header that the middleware sets on requests that it forwards to another server. */
export const roleHeader = 'x-role'

/** Writes the Vite configuration. */
export function viteSource({ kind, base, hasSlash }: AppShape): string {
  const sharedOptions = { security: { csp: true }, actions: { timeoutMs: 2000 } }
  const core = { ...sharedOptions, basePath: base, trailingSlash: hasSlash }
  const [name, from, options] =
    kind === 'core' ? ['waymark', 'waymark/vite', core] : ['next', 'next/vite', sharedOptions]
  return [
    "import { arrivals } from '@waymark/arrivals/vite'",
    ...(kind === 'core' ? ["import { live } from '@waymark/live/vite'"] : []),
    "import { operations } from '@waymark/operations/vite'",
    "import { defineConfig } from 'vite'",
    `import { ${name} } from '${from}'`,
    `const plugins = [${name}(${JSON.stringify(options)}), arrivals(), operations()${kind === 'core' ? ', live()' : ''}]`,
    'export default defineConfig({ plugins })',
    '',
  ].join('\n')
}

/** Writes a `proxy.ts` that guards folders and rewrites an alias to a public page. */
export function proxySource({ base }: AppShape, guarded: readonly string[]): string {
  return [
    "import { forbidden } from 'waymark'",
    "import { rewrite } from 'waymark/server'",
    "import { isAdmin } from './app/_watch/watch.ts'",
    `export const config = { matcher: ${JSON.stringify([...matchersOf(guarded), '/alias/:path*'])} }`,
    'export default async function proxy(request) {',
    '  const { pathname } = new URL(request.url)',
    `  const path = pathname.startsWith('${base}/') ? pathname.slice(${base.length}) : pathname`,
    '  const [, id] = /^\\/alias\\/([^/]+)\\/?$/.exec(path) ?? []',
    "  if (id !== undefined) return rewrite('/photo/' + id)",
    '  if (!(await isAdmin())) forbidden()',
    '}',
    '',
  ].join('\n')
}

/**
 * Writes a `middleware.ts` that guards folders, and forwards paths below `/old` to a different
 * server.
 */
export function middlewareSource(guarded: readonly string[], ports: UpstreamPorts): string {
  const matcher = [...matchersOf(guarded), '/old/:path*']
  return [
    "import { NextResponse } from 'next/server'",
    'export function middleware(request) {',
    '  const { pathname, search } = request.nextUrl',
    `  const isAdmin = request.cookies.get('role')?.value === '${adminRole}'`,
    "  if (pathname.startsWith('/old/')) {",
    '    const headers = new Headers(request.headers)',
    `    headers.set('${roleHeader}', isAdmin ? 'admin' : 'guest')`,
    `    const url = new URL('http://127.0.0.1:${ports.whole}')`,
    "    url.pathname = pathname.slice('/old'.length)",
    '    url.search = search',
    '    return NextResponse.rewrite(url, { request: { headers } })',
    '  }',
    '  if (isAdmin) return NextResponse.next()',
    "  return new NextResponse('refused', { status: 403 })",
    '}',
    `export const config = { matcher: ${JSON.stringify(matcher)} }`,
    '',
  ].join('\n')
}

function matchersOf(guarded: readonly string[]): string[] {
  return guarded.flatMap((folder) => [folder, `${folder}/:path*`])
}

/**
 * Writes a `next.config.mjs` with rules that take parameters from their conditions. Some rules
 * forward to other servers.
 */
export function nextConfigSource({ base, hasSlash }: AppShape, ports: UpstreamPorts): string {
  const at = (port: number) => `http://127.0.0.1:${port}`
  const query = (key: string, value?: string) => [{ type: 'query', key, value }]
  const redirects = [
    {
      source: '/gopage',
      has: query('page', '(?<page>.*)'),
      destination: '/:page',
      permanent: false,
    },
    { source: '/kid/:id', destination: '/photo/:id', permanent: true },
    ...(base ? [{ source: '/', destination: base, basePath: false, permanent: true }] : []),
  ]
  const rewrites = {
    beforeFiles: [{ source: '/alias/:path*', destination: '/:path*' }],
    afterFiles: [
      { source: '/plain/:path*', destination: `${at(ports.whole)}/:path*` },
      { source: '/user', has: query('id'), destination: `${at(ports.strict)}/u1/users/:id` },
      {
        source: '/t',
        has: query('sub', '(?<sub>.+)'),
        destination: `http://127.:sub.0.1:${ports.strict}/u2/home`,
      },
      { source: '/backend/:path*', destination: `${at(ports.strict)}/u3/:path*` },
    ],
    fallback: [],
  }
  const value = { key: 'x-val', value: 'v-:v' }
  const headers = [{ source: '/open', has: query('v'), headers: [value] }]
  const config = { ...(base ? { basePath: base } : {}), trailingSlash: hasSlash }
  return [
    'export default {',
    `  ...${JSON.stringify(config)},`,
    `  redirects: async () => (${JSON.stringify(redirects)}),`,
    `  rewrites: async () => (${JSON.stringify(rewrites)}),`,
    `  headers: async () => (${JSON.stringify(headers)}),`,
    '}',
    '',
  ].join('\n')
}

/** True if a rule of the generated configuration may send a path to the strict port. */
export function isAllowedUpstream(path: string): boolean {
  const { pathname, searchParams } = new URL(path, 'http://upstream.invalid')
  if (searchParams.has('inj')) return false
  return /^\/u1\/users\/|^\/u2\/home$|^\/u3(?:\/|$)/.test(pathname)
}
