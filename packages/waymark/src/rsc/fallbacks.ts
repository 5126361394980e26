import { createElement, Fragment, type ReactNode } from 'react'
import { ServerError } from '../client/boundary.tsx'
import type { HeaderLines } from '../shared/answer.ts'
import type { PayloadOutcome, PayloadSegment } from '../shared/payload.ts'
import type { Decision } from './outcome.ts'
import type { PageApp, PageRequest } from './page.ts'
import type { RouteFile } from './routeModules.ts'
import type { Place, RenderedSegments } from './segments.ts'

/** What stands in for the part of a page that failed. */
export type Replacement = {
  readonly status: number
  readonly headers: HeaderLines
  readonly outcome: Omit<PayloadOutcome, 'route'>
}

type Failed = Extract<Decision, { kind: 'fallback' | 'error' }>

const fallbackRoles = { 401: 'unauthorized', 403: 'forbidden', 404: 'not-found' } as const

/** Finds and loads the screen that answers a failure: the nearest one above it. */
export async function loadReplacement(
  decision: Failed,
  rendered: RenderedSegments,
  page: PageRequest,
  app: PageApp,
): Promise<Replacement> {
  const role = decision.kind === 'error' ? 'error' : fallbackRoles[decision.status]
  const place = nearest(decision.place, role)
  const path = place?.segment.node.files[role]
  const file = path === undefined ? null : await app.modules.load(path)
  const status = decision.kind === 'error' ? 500 : decision.status
  const digest = decision.kind === 'error' ? app.report(decision.thrown, page) : null
  const key = `${place?.segment.key ?? ''}#${status}`
  const node = screenOf(file, status, digest)
  const segment: PayloadSegment = { key }
  const outermost = place ?? outermostOf(decision.place)
  return {
    status,
    headers: digest ? [['x-waymark-digest', digest]] : [],
    outcome: {
      tree: outermost ? rendered.treeWith(outermost, segment) : segment,
      fallbacks: { [key]: node },
      head: createElement('meta', { name: 'robots', content: 'noindex' }),
    },
  }
}

function nearest(place: Place | null, role: 'error' | 'not-found' | 'forbidden' | 'unauthorized') {
  let at = place
  while (at && at.segment.node.files[role] === undefined) at = at.outer
  return at
}

function outermostOf(place: Place | null): Place | null {
  let at = place
  while (at?.outer) at = at.outer
  return at
}

function screenOf(file: RouteFile | null, status: number, digest: string | null): ReactNode {
  if (!file) return createElement('p', null, `${status} ${digest ?? ''}`)
  const component = file.module.default as never
  const screen = digest
    ? createElement(ServerError, { screen: component, digest })
    : createElement(component)
  return file.styles ? createElement(Fragment, null, file.styles, screen) : screen
}
