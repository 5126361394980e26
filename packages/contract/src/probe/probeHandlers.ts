import type { RouteFacts } from '../build/buildFacts.ts'
import type { ContractConfig } from '../config/contractConfig.ts'
import { accessProperties } from '../contract/access.ts'
import { noRule } from '../contract/cacheControl.ts'
import type { ProbeResponse } from './exchange.ts'
import { type ProbedApp, proxyProperties } from './probePages.ts'
import { noSample } from './samples.ts'
import { describeResponse, runAll } from './sender.ts'
import { findSharedContent } from './sharedContent.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Requests all route handlers as all personas. */
export async function probeHandlers(app: ProbedApp, config: ContractConfig): Promise<void> {
  const handlers = app.facts.routes.filter(({ kind }) => kind === 'route')
  await runAll(handlers, (handler) => probeHandler(handler, app, config))
}

async function probeHandler(
  handler: RouteFacts,
  app: ProbedApp,
  { handlers = {} }: ContractConfig,
): Promise<void> {
  const { sender } = app
  // A metadata file, such as robots.ts, has a default export instead of methods.
  const exported = methods.filter((method) => handler.exports.includes(method))
  const isFile = exported.length === 0
  const samples = app.findSamples(handler)
  const title = `${isFile ? 'file' : 'handler'} ${handler.pattern}`
  const table = new Map<string, Map<string, string>>()
  const properties: Record<string, string> = {}
  let shown: ProbeResponse | null = null
  for (const method of isFile ? ['GET'] : exported) {
    const request = handlers[`${method} ${handler.pattern}`]
    const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
    if (!isSafe && !request) {
      properties[method] = 'not tried'
      app.addUnproven(
        `${title} ${method}`,
        `it may change data; add handlers: { '${method} ${handler.pattern}': {} } to contract.config.ts`,
      )
      continue
    }
    const paths = request?.path === undefined ? samples : [{ label: '', path: request.path }]
    if (paths.length === 0) app.addUnproven(title, noSample(handler.pattern))
    for (const { label, path } of paths) {
      const how = [isFile ? '' : method, label].filter(Boolean).join(', ')
      const row = new Map<string, string>()
      const responses = new Map<string, ProbeResponse>()
      for (const persona of sender.personas) {
        const { headers = {}, body } = request ?? {}
        const response = await sender.send({
          persona,
          path,
          method,
          headers,
          ...(body && { body }),
        })
        row.set(persona, describeResponse(response))
        responses.set(persona, response)
        if (response.status >= 200 && response.status < 300) shown ??= response
      }
      table.set(how, row)
      if (method === 'GET') {
        const shared = await findSharedContent(
          `The ${title}`,
          { path, headers: request?.headers ?? {} },
          responses,
          { ...handler, sender },
        )
        app.addFinding(shared)
      }
      // A handler of WebSockets responds with 426 to other requests.
      const isSocket = [...responses.values()].some(({ status }) => status === 426)
      if (method === 'GET' && isSocket) {
        const sockets = new Map<string, string>()
        for (const persona of sender.personas) {
          sockets.set(persona, describeResponse(await sender.upgrade({ persona, path })))
        }
        table.set(`${how}, socket`, sockets)
      }
    }
  }
  app.add({
    kind: isFile ? 'file' : 'handler',
    name: handler.pattern,
    properties: {
      ...properties,
      ...accessProperties(table, app.absent),
      ...(await proxyProperties(samples, app)),
      ...(shown ? responseProperties(shown) : {}),
    },
  })
}

function responseProperties({ headers }: ProbeResponse): Record<string, string> {
  return {
    cache: headers.get('cache-control') ?? noRule,
    content: headers.get('content-type')?.split(';')[0] ?? 'no type',
  }
}

/** Requests the packages' endpoints, and the files of `public/`. */
export async function probeFiles(
  app: ProbedApp,
  {
    endpoints,
    files,
  }: { readonly endpoints: readonly string[]; readonly files: readonly string[] },
): Promise<void> {
  const all = [
    ...endpoints.map((path) => ({ kind: 'endpoint' as const, path })),
    ...files.map((path) => ({ kind: 'file' as const, path })),
  ]
  await runAll(all, async ({ kind, path }) => {
    const row = new Map<string, string>()
    for (const persona of app.sender.personas) {
      row.set(persona, describeResponse(await app.sender.send({ persona, path })))
    }
    const name = kind === 'endpoint' ? withoutHash(path) : path
    app.add({ kind, name, properties: accessProperties(new Map([['', row]]), app.absent) })
  })
}

// The hash of a script's content changes with each version of its package.
function withoutHash(path: string): string {
  return path.replace(/-[\da-f]{16}(?=\.\w+$)/, '-[hash]')
}
