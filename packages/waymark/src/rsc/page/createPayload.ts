import type { ComponentType, ReactNode } from 'react'
import { isClientReference } from '../../react/clientReference.ts'
import type { MatchedSegment } from '../../routing/matchedSegments.ts'
import { withBasePath } from '../../shared/basePath.ts'
import type { ErrorScreenProps, Payload, Stylesheet } from '../../wire/payload.ts'
import type { PageApp, PageRequest } from './pageRequest.ts'
import type { RouteFiles } from './routeModules.ts'
import type { RenderedSegments } from './segments.ts'

type PayloadParts = {
  readonly files: RouteFiles
  readonly theme: string | null
  readonly segments: RenderedSegments
  readonly head: ReactNode
  /** Id of this rendering, from the package that keeps open pages up to date. */
  readonly followed: { readonly rendering: string } | undefined
}

/** Builds a page's payload, which React writes as Flight. */
export function createPayload(page: PageRequest, app: PageApp, parts: PayloadParts): Payload {
  const { files, theme, segments, head, followed } = parts
  const { match, scope, formState, address } = page
  const isDocument = page.kind === 'document'
  // The payload of a static page's document is also used as page data, so it needs the stylesheets.
  const stylesheets = isDocument && scope.phase !== 'prerender' ? [] : stylesheetsOf(files)
  const globalError = isDocument ? globalErrorOf(match.root, files) : null
  return {
    tree: segments.tree,
    route: {
      pathname: withBasePath(address.pathname),
      search: address.search,
      params: match.params,
    },
    ...(theme === null ? {} : { theme }),
    ...(stylesheets.length > 0 ? { stylesheets } : {}),
    ...(globalError ? { globalError } : {}),
    build: app.buildId,
    ...(formState ? { formState: formState.value } : {}),
    ...(page.isShell ? { isShell: true } : {}),
    ...(match.interceptedFrom ? { isOver: true } : {}),
    // List guards first, so that outer layouts have usually rendered before the segments inside
    // them.
    ...(Object.keys(segments.guards).length > 0 ? { guards: segments.guards } : {}),
    segments: segments.segments,
    head,
    ...(followed ? { rendering: followed.rendering } : {}),
  }
}

// Returns the stylesheets that a navigation loads before it shows the page. A document lists them
// in its head.
function stylesheetsOf(files: RouteFiles): readonly Stylesheet[] {
  const all = [...files.values()].flatMap((file) => file.stylesheets)
  return [...new Map(all.map((stylesheet) => [stylesheet[0], stylesheet])).values()]
}

// Returns the `global-error` component as a client reference, because the browser has to render it
// itself after a failure.
function globalErrorOf(root: MatchedSegment, files: RouteFiles): Payload['globalError'] | null {
  const file = files.get(root.node.files['global-error'] ?? '')
  const screen = file?.module.default as ComponentType<ErrorScreenProps> | undefined
  return file && screen && isClientReference(screen) ? { screen, styles: file.styles } : null
}
