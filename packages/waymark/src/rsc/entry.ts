import { imports, tree } from 'virtual:waymark/routes'
import { createMatcher } from '../routing/match.ts'
import type { Handle } from '../shared/answer.ts'
import { resolveThemeOptions } from '../theme/config.ts'
import { themeHead } from '../theme/head.ts'
import { createHandler } from './handler.ts'
import { createMetadataResolver } from './metadata/resolve.ts'
import type { RenderDocument } from './pageRequest.ts'
import { createReporter } from './report.ts'
import { createRouteModules } from './routeModules.ts'

type SsrEntry = { renderDocument: RenderDocument }

/** Answers one request of the app. */
export const handle: Handle = createHandler({
  matcher: createMatcher(tree),
  modules: createRouteModules(imports),
  resolveMetadata: createMetadataResolver(),
  report: createReporter((line) => console.error(line)),
  renderDocument: async (flight, options) => {
    const ssr = await import.meta.viteRsc.loadModule<SsrEntry>('ssr', 'index')
    return ssr.renderDocument(flight, options)
  },
  statusDeadlineMs: 100,
  headStart: themeHead({ config: resolveThemeOptions() }),
})
