import { config } from 'virtual:waymark-i18n/config'
import used from 'virtual:waymark-i18n/used'
import { createElement, type ReactElement } from 'react'
import type { ServerApp, ServerPart } from 'waymark/plugin'
import { ClientMessages } from '../client/ClientMessages.tsx'
import type { UsedMessages } from '../shared/usedMessages.ts'
import { setRoutes } from './routes.ts'
import { createRouteUrls } from './routeUrls.ts'
import { findLocalPath, messagesFor, requestTime } from './state.ts'

export function createPart({ patternOf }: ServerApp): ServerPart {
  const routeUrls = createRouteUrls(config, patternOf)
  setRoutes({ toRoute: routeUrls.toRoute, patternOf })
  const usedByRoute = new Map<string, UsedMessages | null>()

  /** @param file path below the folder of the routes */
  function usedBy(file: string): UsedMessages | null {
    if (used === null) return true
    const known = usedByRoute.get(file)
    if (known !== undefined) return known
    // The keys of `used` begin at the app's root, so they also contain the folder of the routes.
    const [key] = Object.keys(used)
      .filter((each) => each.endsWith(`/${file}`))
      .sort((a, b) => a.length - b.length)
    const messages = (key !== undefined && used[key]) || null
    usedByRoute.set(file, messages)
    return messages
  }

  /** Gives the client components of a route file their messages. */
  function wrapFile(element: ReactElement, file: string): ReactElement {
    const keys = usedBy(file)
    const local = findLocalPath()
    if (!keys || !local) return element
    const { locale } = local
    // Without messages, the components need the language only.
    const needsNone = keys !== true && keys.length === 0
    const picked = needsNone ? {} : { messages: messagesFor(locale, keys) }
    return createElement(ClientMessages, { locale, now: requestTime(), ...picked }, element)
  }

  return { routeUrls, wrapFile }
}
