/**
 * Files that read a request's host or origin, with the decision that depends on the value. The
 * client chooses `Host`, so the value may mislead only the client that sent it. The value must not
 * decide about trust, unless the app lists its hosts in `security.allowedHosts`. If a file reads a
 * different host, such as the one in the configuration, the text says so.
 */
export const hostReaders: Readonly<Record<string, string>> = {
  // Code that reads and checks the host.
  'packages/waymark/src/node/request.ts':
    'reads it once, from the target, a trusted proxy or the header; answers 400 to an invalid one',
  'packages/waymark/src/node/listener.ts':
    'refuses a request whose host the app does not list; health checks are answered before',
  'packages/waymark/src/http/allowedHosts.ts': 'compares it with the hosts that the app lists',
  'packages/waymark/src/http/web.ts': "takes it from a runtime's Request",
  'packages/cloudflare/src/cloudflareWorker.ts': 'skips the copy of a request with an invalid URL',
  'packages/cloudflare/src/stateObject.ts':
    "reads only the path; only the app's worker can call it",
  'packages/cloudflare/src/workerdWorker.ts': 'refuses a request whose host the app does not list',
  'packages/waymark/src/vite/dev/devPlugin.ts':
    "becomes the Host header for Vite's check, if the target is in absolute form",
  'packages/waymark/src/vite/dev/devServer.ts':
    'refuses an invalid one; tools get the origin of the listening server, not of a request',
  // Code that checks if a request comes from a page of the app. A browser writes both values, and a
  // page's script can set neither of them. Without allowedHosts, the check accepts a foreign name
  // that an attacker points at the server (DNS rebinding).
  'packages/waymark/src/http/requestSource.ts':
    'is compared with Origin if the browser sends no Sec-Fetch-Site',
  'packages/waymark/src/rsc/request/crossOrigin.ts':
    'is compared with Origin for actions and WebSockets, and named in the log',
  'packages/waymark/src/rsc/action/handleAction.ts':
    'refuses an action with a different Origin; its guards run in any case',
  'packages/waymark/src/node/clearCookies.ts':
    'refuses to delete cookies for a page with a different Origin; names the domains of cookies to delete',
  'packages/waymark/src/rsc/request/receiveBeacons.ts':
    'refuses a beacon with a different Origin, although anybody can send one',
  'packages/waymark/src/rsc/respondByRouteHandler.ts':
    'refuses a WebSocket with a different Origin',
  'packages/waymark/src/rsc/page/pageRequest.ts': 'is passed on to metadata',
  'packages/waymark/src/vite/dev/devSecurity.ts':
    "refuses a page of another site, and a program that uses a host other than localhost, after the check of the peer's address; names hosts to Vite",
  'packages/waymark/src/rsc/action/updateUserCookie.ts':
    'makes the user cookie secure; becomes the origin of the request that user() of server.ts sees',
  // Commands, whose hosts come from a URL in the arguments, from a document or from its redirect.
  'packages/operations/src/doctor/pages.ts': 'sends requests to the servers of its command line',
  'packages/operations/src/doctor/doctorChecks.ts': 'names the servers of its command line',
  'packages/operations/src/doctor/outside.ts': 'names the servers of its command line',
  // Text that only the client that sent the request receives.
  'packages/waymark/src/rsc/errors/screenResponse.ts': 'is shown on the error screen',
  'packages/waymark/src/rsc/page/fallbacks.ts': 'is shown on the error screen',
  'packages/waymark/src/rsc/page/documentResponse.ts':
    'is shown on the error screen; decides if browsers without scripts are redirected once',
  'packages/waymark/src/rsc/partial/respondFromShell.ts': 'is shown on the error screen',
  'packages/waymark/src/rsc/metadata/merge.ts':
    'starts the URLs of metadata without a metadataBase; null in pages that visitors share',
  'packages/waymark/src/rsc/metadata/resolve.ts':
    'is compared with the host for which the stored head was rendered: a different one renders it again',
  'packages/waymark/src/rsc/metadata/values.ts': 'starts the URLs of metadata',
  'packages/waymark/src/rsc/page/head.ts': 'is passed on to metadata',
  'packages/waymark/src/rsc/request/api.ts':
    'is x-forwarded-host of headers(); its scheme decides if the draft cookie is secure',
  'packages/waymark/src/rsc/request/forwarding.ts':
    'is x-forwarded-host in the requests that the app gets',
  'packages/waymark/src/rsc/request/readBody.ts': 'starts the URL of the Request that the app gets',
  'packages/waymark/src/rsc/request/readRequest.ts':
    'is http://localhost in requests without a client; hostOf() takes the host from an origin',
  // Code of proxy.ts.
  'packages/waymark/src/rsc/proxy/proxy.ts':
    'makes a path of an absolute rewrite URL, which proxy.ts then sees, and shortens a location; accepts a redirect to the requested address',
  'packages/next/src/rewriteTarget.ts':
    'keeps a rewrite in the app if its URL has the host of a second run, or a host that the app lists',
  'packages/next/src/proxy.ts':
    'shortens a location on the same origin; is x-forwarded-host for packages; is the base for a path',
  'packages/next/src/forward.ts':
    'is x-forwarded-host of a request that is forwarded to another server',
  'packages/next/src/requestUrl.ts':
    'marks a URL as relative to the request until its host is written',
  'packages/next/src/server.ts': 'is the host of nextUrl',
  'packages/next/src/configRules.ts': 'tells if a redirect leads to the requested address',
  'packages/next/src/rules.ts':
    'is compared if a rule of the app has a condition of the type host; a destination is read as written',
  'packages/next/src/nextConfig.ts': 'names the condition of the type host',
  // Code that reads hosts which no client chooses.
  'packages/next/src/link.tsx': 'in the browser: decides if a link leads to another site',
  'packages/next/src/picturePlugin.ts': 'the URL of a file at build',
  'packages/next/src/url.ts': 'of a link that the app writes',
  'packages/image/src/remoteSource.ts':
    'of a remote image: is compared with the hosts that the app allows, and its address with private networks',
  'packages/offline/src/worker/worker.ts':
    'in the service worker: leaves requests to other origins to the browser',
  'packages/offline/src/worker/scope.ts': 'in the service worker: its own origin',
  'packages/offline/src/worker/namedFiles.ts':
    'in the service worker: skips files of other origins',
  'packages/offline/src/worker/pageStore.ts': 'in the service worker: URLs of stored pages',
  'packages/waymark/src/vite/dev/inspectedServer.ts': 'of the listening dev server',
  'packages/devtools/src/faults.ts': 'of the listening dev server',
  'packages/devtools/src/events/arrivals.ts': 'a path without a host',
  'packages/devtools/src/events/serverEvents.ts': 'a path without a host',
  'packages/operations/src/observing.ts': 'a path without a host',
  'packages/waymark/src/node/static/staticFiles.ts': 'a path without a host',
  'packages/waymark/src/node/httpServer.ts': 'the address to listen on',
  'packages/waymark/src/cli/commands.ts': 'the address to listen on',
  'packages/waymark/src/cli/devCommand.ts': 'the address to listen on',
  'packages/waymark/src/cli/serving.ts': 'the address to listen on',
  'packages/waymark/src/rsc/metadata/metadataRoute.ts': 'of robots.txt, as the app writes it',
  'packages/waymark/src/rsc/metadata/metadata.ts': 'of robots.txt, and of a referrer policy',
  'packages/waymark/src/shared/settings.ts': 'of actions.allowedOrigins, as the app writes it',
  'packages/waymark/src/vite/dev/overlayParts.ts': 'the element that holds a shadow root',
}
