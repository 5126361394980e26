import type { RouteUrls } from 'waymark/plugin'

// In its own module, which a change of messages doesn't replace in development.

type Routes = {
  readonly toRoute: RouteUrls['toRoute']
  readonly patternOf: (routePathname: string) => string | null
}

let routes: Routes | null = null

/** Sets the app's routes when the server starts. */
export function setRoutes(given: Routes): void {
  routes = given
}

/** Returns the app's routes, or `null` before the server has started. */
export const appRoutes = (): Routes | null => routes
