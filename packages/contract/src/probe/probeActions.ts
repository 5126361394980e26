import { randomUUID } from 'node:crypto'
import { type ActionArgument, encodeArguments } from '@waymark/testing/build'
import { callHeaders, refusalOf } from 'waymark/plugin/node'
import { type ActionFacts, nameOf } from '../build/buildFacts.ts'
import type { ContractConfig } from '../config/contractConfig.ts'
import { accessProperties, isOpen } from '../contract/access.ts'
import { type Caller, isGroup, listCallers } from './callers.ts'
import type { ProbeResponse } from './exchange.ts'
import type { ProbedApp } from './probePages.ts'
import { describeResponse } from './sender.ts'

/** Calls all actions as all personas, from each page that can call them. */
export async function probeActions(app: ProbedApp, config: ContractConfig): Promise<void> {
  // One after the other, because an action may change what the next one gets.
  for (const action of app.facts.actions) await probeAction(action, app, config)
}

type Call = {
  readonly path: string
  /** Path of the page from which the navigation to `path` started. */
  readonly from: string
  /** Name of the page's sample. Empty if the page has only one. */
  readonly label: string
}

async function probeAction(
  action: ActionFacts,
  app: ProbedApp,
  { actions = {}, reset }: ContractConfig,
): Promise<void> {
  const { sender } = app
  const name = nameOf(action)
  const args = actions[name]
  const table = new Map<string, Map<string, string>>()
  let tried: { readonly call: Call; readonly persona: string } | null = null
  const callers = listCallers(action, app.facts)
  if (callers.length === 0) return
  for (const caller of callers) {
    const calls = await findCalls(caller, app)
    if (calls.length === 0) {
      app.addUnproven(`action ${name} from ${caller.name}`, 'no path is known for the page')
    }
    for (const call of calls) {
      const row = new Map<string, string>()
      for (const persona of sender.personas) {
        const outcome = describeCall(await send(action, { ...call, persona, body: unreadable }))
        row.set(persona, outcome)
        if (!isOpen(outcome)) continue
        tried ??= { call, persona }
        if (args === undefined) continue
        await reset?.()
        const body = encodeArguments(args.map(toArgument))
        row.set(persona, describeRun(await send(action, { ...call, persona, body })))
      }
      const label = call.label === '' ? '' : `, ${call.label}`
      table.set(`from ${caller.name}${label}`, row)
    }
  }
  const groups = callers.filter((caller) => isGroup(caller.name))
  const pagesOfGroups = groups.map(({ name, pages }) => [name, listPatterns(pages)])
  app.add({
    kind: 'action',
    name,
    properties: {
      ...Object.fromEntries(pagesOfGroups),
      ...accessProperties(table, app.absent),
      ...(args === undefined ? { 'own checks': 'not tried' } : {}),
      ...(tried ? await forgedProperties(tried) : {}),
    },
  })

  type Sent = Call & { readonly persona: string; readonly body: string | FormData }
  function send({ id }: ActionFacts, { path, from, persona, body }: Sent, headers = {}) {
    return sender.send({
      persona,
      path,
      method: 'POST',
      headers: { ...callHeaders({ id, key: randomUUID(), from }), ...textType(body), ...headers },
      body,
    })
  }

  /** Tries what must always be refused, as a persona that may call the action. */
  async function forgedProperties({ call, persona }: { call: Call; persona: string }) {
    const sent = { ...call, persona, body: unreadable }
    const forged = await send(action, sent, {
      origin: 'https://forged.example',
      'sec-fetch-site': 'cross-site',
    })
    const other = await findOther(callers, app)
    const elsewhere = other && (await send(action, { ...sent, ...other }))
    return {
      'forged call': describeCall(forged),
      ...(elsewhere ? { 'from another page': describeCall(elsewhere) } : {}),
    }
  }
}

function listPatterns(pages: Caller['pages']): string {
  const patterns = pages.map(({ pattern }) => pattern)
  return patterns.sort().join(', ')
}

// Arguments that can't be decoded. The server runs all guards before it decodes, so the response
// shows if the call was admitted, and the action doesn't run.
const unreadable = '[not JSON'

/** Describes the response to a call whose arguments can't be decoded. */
function describeCall(response: ProbeResponse): string {
  return refusalOf(response) === 'malformed'
    ? 'may call'
    : (redirectOf(response) ?? describeResponse(response))
}

function describeRun(response: ProbeResponse): string {
  const { status } = response
  if (status < 200 || status >= 300) return describeResponse(response)
  return redirectOf(response) ?? 'runs'
}

/** Reads a redirect, which the response to a call contains as data. */
function redirectOf({ body }: ProbeResponse): string | null {
  const [, location] = /\{"kind":"redirect","location":"([^"]*)"/.exec(body) ?? []
  return location === undefined ? null : `redirect to ${location.replace(/[?#].*$/, '')}`
}

function textType(body: string | FormData): Record<string, string> {
  return typeof body === 'string' ? { 'content-type': 'text/plain;charset=UTF-8' } : {}
}

function toArgument(value: unknown): ActionArgument {
  if (!(value instanceof FormData)) return { json: value }
  return { form: [...value].map(([name, each]) => [name, String(each)] as const) }
}

/**
 * Finds the URLs for the calls of a caller: each sample of a page, because its guards may depend on
 * the params. For a layout, one of its pages, preferably one for which proxy.ts doesn't run, because
 * that page is guarded least.
 */
async function findCalls({ pages, from }: Caller, app: ProbedApp): Promise<readonly Call[]> {
  const calls = pages
    .flatMap((page) => app.findSamples(page))
    .map(({ path, label }): Call => {
      const { pathname } = new URL(path, 'http://localhost')
      return { path, label, from: from !== null && !from.includes('[') ? from : pathname }
    })
  if (pages.length === 1) return calls
  const proxied = await app.proxied(
    calls.map(({ path }) => new URL(path, 'http://localhost').pathname),
  )
  const [call] = [...calls.filter((_, at) => !proxied[at]), ...calls]
  return call === undefined ? [] : [{ ...call, label: '' }]
}

/** Finds a page from which the action can't be called. */
async function findOther(callers: readonly Caller[], app: ProbedApp): Promise<Call | null> {
  const able = new Set(callers.flatMap(({ pages }) => pages.map(({ pattern }) => pattern)))
  const others = app.facts.routes.filter(
    ({ kind, pattern }) => kind === 'page' && !able.has(pattern),
  )
  for (const page of others) {
    const caller = { name: '', routeFile: page.file, pages: [page], from: null }
    const [call] = await findCalls(caller, app)
    if (call) return call
  }
  return null
}
