/**
 * What the host or origin of a request may change, by the file that reads it. `Host` is the client's
 * word: it may mislead the client that sent it, and decides nothing about trust unless the app names
 * its hosts in `security.allowedHosts`. Files that read another host, such as one of the
 * configuration, say so.
 */
export const hostReaders: Readonly<Record<string, string>> = {
  // Reading and checking it.
  'packages/waymark/src/node/request.ts':
    'reads it, once: from the target, a trusted proxy or the header; an invalid one is a 400',
  'packages/waymark/src/node/listener.ts':
    'refuses a request whose host the app does not name; health checks come before',
  'packages/waymark/src/http/allowedHosts.ts': 'compares it with the hosts that the app names',
  'packages/waymark/src/http/web.ts': "takes it from a runtime's Request",
  'packages/workerd/src/worker.ts': 'refuses a request whose host the app does not name',
  'packages/waymark/src/vite/dev/devPlugin.ts':
    "becomes the Host header, for Vite's check, where a target is in absolute form",
  'packages/waymark/src/vite/dev/devServer.ts':
    'refuses an invalid one; tools get the origin of the listening server, not of a request',
  // Whether a request comes from a page of the app. A browser writes both sides, and a script of a page
  // can set neither; without allowedHosts, a name that a site rebinds to the server passes.
  'packages/waymark/src/http/requestSource.ts':
    'is compared with Origin where the browser sends no Sec-Fetch-Site',
  'packages/waymark/src/rsc/request/crossOrigin.ts':
    'is compared with Origin for actions and WebSockets, and named in the log',
  'packages/waymark/src/rsc/action/handleAction.ts':
    'refuses an action whose Origin is another one; its guards run in any case',
  'packages/waymark/src/node/clearCookies.ts':
    'refuses to delete cookies for a page whose Origin is another one; names the domains of cookies to delete',
  'packages/waymark/src/rsc/request/receiveBeacons.ts':
    'refuses a beacon whose Origin is another one; anybody can send one',
  'packages/waymark/src/rsc/respondByRouteHandler.ts':
    'refuses a WebSocket whose Origin is another one',
  'packages/waymark/src/rsc/page/pageRequest.ts': 'is passed on to metadata',
  'packages/waymark/src/vite/dev/devSecurity.ts':
    'refuses a page of another site, and a program at a host other than localhost, after the address of the peer was checked; names hosts to Vite',
  'packages/waymark/src/rsc/action/updateUserCookie.ts':
    'makes the user cookie secure; is the origin of the request that user() of server.ts sees',
  // A command: the hosts are URLs of its command line, of a document, or of its redirect.
  'packages/operations/src/doctor/doctorCommand.ts': 'asks the servers of its command line',
  'packages/operations/src/doctor/doctorChecks.ts': 'names the servers of its command line',
  // Texts for the client that sent it.
  'packages/waymark/src/rsc/errors/screenResponse.ts': 'is shown in the screen of an error',
  'packages/waymark/src/rsc/page/fallbacks.ts': 'is shown in the screen of an error',
  'packages/waymark/src/rsc/page/documentResponse.ts':
    'is shown in the screen of an error; decides whether browsers without scripts are referred once',
  'packages/waymark/src/rsc/partial/respondFromShell.ts': 'is shown in the screen of an error',
  'packages/waymark/src/rsc/metadata/merge.ts':
    'begins the URLs of metadata without a metadataBase; null in pages that visitors share',
  'packages/waymark/src/rsc/metadata/resolve.ts':
    'is compared with the one for which the stored head was made: another one makes it anew',
  'packages/waymark/src/rsc/metadata/values.ts': 'begins the URLs of metadata',
  'packages/waymark/src/rsc/page/head.ts': 'is passed on to metadata',
  'packages/waymark/src/rsc/request/api.ts':
    'is x-forwarded-host of headers(); its scheme decides whether the draft cookie is secure',
  'packages/waymark/src/rsc/request/forwarding.ts':
    'is x-forwarded-host in the requests that the app gets',
  'packages/waymark/src/rsc/request/readBody.ts': 'begins the URL of the Request that the app gets',
  'packages/waymark/src/rsc/request/readRequest.ts':
    'is http://localhost in requests without a client; hostOf() takes the host from an origin',
  // proxy.ts.
  'packages/waymark/src/rsc/proxy/proxy.ts':
    'turns a whole URL of a rewrite into a path, which proxy.ts then sees, and shortens a location; lets a redirect back to the requested address pass',
  'packages/next/src/rewriteTarget.ts':
    'keeps a rewrite in the app where its URL follows the host of a second run, or the app names the host',
  'packages/next/src/proxy.ts':
    'shortens a location on the same origin; is x-forwarded-host for packages; gives a path its base',
  'packages/next/src/forward.ts': 'is x-forwarded-host of a request that leaves the app',
  'packages/next/src/requestUrl.ts':
    'marks the URL of a request as one of the request, until its host is written',
  'packages/next/src/server.ts': 'is that of nextUrl',
  'packages/next/src/configRules.ts': 'tells whether a redirect leads to the requested address',
  'packages/next/src/rules.ts':
    'is compared where a rule of the app has a condition of the type host; a destination is read as it is written',
  'packages/next/src/nextConfig.ts': 'names the condition of the type host',
  // Hosts that no client chooses.
  'packages/next/src/link.tsx': 'in the browser: whether a link leads to another site',
  'packages/next/src/picturePlugin.ts': 'the URL of a file at build',
  'packages/next/src/url.ts': 'of a link that the app writes',
  'packages/image/src/remoteSource.ts':
    'of a remote image: is compared with what the app allows, and its address with private networks',
  'packages/offline/src/worker/worker.ts':
    'in the service worker: leaves other origins to the browser',
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
