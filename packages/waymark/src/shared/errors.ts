import { installCommand } from './installCommand.ts'

/** Errors for the authors of apps. Each message says what happened, with the values, then what to do. */
const errorTable = {
  ROUTE_CONFLICT: (v: { url: string; files: readonly string[] }) =>
    `Two files match ${v.url}: ${v.files.join(' and ')}. Move or delete one.`,
  PAGE_BESIDE_ROUTE: (v: { files: readonly string[] }) =>
    `A folder has both a page and a route handler: ${v.files.join(' and ')}. Move or delete one.`,
  DUPLICATE_FILE: (v: { role: string; files: readonly string[] }) =>
    `A folder has more than one ${v.role} file: ${v.files.join(' and ')}. Keep one.`,
  SLOT_WITHOUT_DEFAULT: (v: {
    slot: string
    folder: string
    url: string
    files: readonly string[]
  }) =>
    `The slot ${v.slot} has no page at ${v.url}, so it would be empty there. Add ${v.folder}/default.tsx with the content for this case.`,
  NO_ROOT_LAYOUT: (v: { file: string }) =>
    `${v.file} has no root layout. Add app/layout.tsx, which renders <html> and <body>, or move the file into a folder with a layout that does.`,
  ROOT_LAYOUT_HTML: (v: { file: string }) =>
    `${v.file} is the root layout of a page, but it does not render <html>. Return <html> with <body>, and render the children in it. If a nested layout renders <html>, delete this file.`,
  INTERCEPT_WITHOUT_TARGET: (v: { file: string; url: string }) =>
    `${v.file} intercepts navigations to ${v.url}, but no page has that URL, so a reload would show a 404. Add a page for the URL, or correct the name of the folder.`,
  IGNORED_FILE: (v: { file: string; instead: string }) =>
    `${v.file} has no meaning here, so it would be ignored. ${v.instead}`,
  SEGMENT_OPTION: (v: { file: string; name: string; value: string; rule: string }) =>
    `${v.file} exports ${v.name} = ${v.value}, which is not supported: ${v.rule}.`,
  /** `owner` is the Waymark entry that has the export, if `source` is a different Waymark entry. */
  MISSING_EXPORT: (v: {
    file: string
    name: string
    source: string
    exportNames: readonly string[]
    owner?: string | null
  }) => {
    const start = `${v.file} imports ${v.name} from ${v.source}, which does not export it.`
    if (v.owner) return `${start} Import it from ${v.owner}.`
    if (v.exportNames.length === 0)
      return `${start} ${v.source} has no exports. Export ${v.name} there.`
    const list = v.exportNames.join(', ')
    return `${start} ${v.source} exports ${list}. Correct the name, or export it there.`
  },
  NO_DEFAULT_EXPORT: (v: { file: string; actual: string }) =>
    `${v.file} has no component as its default export, but ${v.actual}. Write export default function … in it.`,
  ERROR_FILE_ON_SERVER: (v: { file: string }) =>
    `${v.file} must run in browsers, where it shows errors and a button to try again. Begin it with 'use client'.`,
  ROUTE_WITHOUT_METHOD: (v: { file: string }) =>
    `${v.file} has a default export, but no function for GET, POST or another method. Write export function GET() … in it.`,
  PARAMS_NOT_AWAITED: (v: { name: string }) =>
    `${v.name} was read from params, which is a promise. Await it first: (await params).${v.name}. In a client component, write use(params).${v.name}.`,
  NODE_IN_CLIENT: (v: { file: string; source: string }) =>
    `${v.file} is part of the client code, but imports ${v.source}, which exists only in Node. Read the data in a server component and pass it as a prop, or read it in a server action.`,
  STATIC_PARAMS: (v: { file: string; returned: string; params: readonly string[] }) =>
    `generateStaticParams in ${v.file} returned ${v.returned}, which does not match the route. Return a list of objects with ${v.params.join(', ')}.`,
  PARAM_NAME_CONFLICT: (v: { names: readonly string[]; files: readonly string[] }) =>
    `The same dynamic segment has two names, ${v.names.join(' and ')}: ${v.files.join(' and ')}. Use the same name in both.`,
  ROUTE_IN_SLOT: (v: { file: string }) =>
    `The route handler ${v.file} is never called, because it is in a slot or an intercepting folder. Move it to a different folder.`,
  PARAM_VALUE: (v: { pattern: string; param: string; value: string; reason: string }) =>
    `The param ${v.param} of ${v.pattern} can't be ${v.value}: ${v.reason}.`,
  HREF_PATHNAME: (v: { pathname: string; reason: string }) =>
    `The pathname ${v.pathname} can't be used in a link: ${v.reason}.`,
  SEGMENT_NAME: (v: { folder: string; reason: string }) =>
    `The folder name ${v.folder} can't be a segment: ${v.reason}.`,
  UNKNOWN_OPTION: (v: { file: string; name: string; names: readonly string[] }) =>
    `${v.file}: waymark() has no option ${v.name}. Its options are ${v.names.join(', ')}.`,
  OPTION_VALUE: (v: { option: string; value: string; rule: string }) =>
    `The option ${v.option} can't be ${v.value}: ${v.rule}.`,
  THEME_COOKIE: (v: { api: string }) =>
    `${v.api} reads the theme from a cookie, but that cookie is turned off. Set theme.cookie to true in the options of waymark(), in vite.config.ts.`,
  /** `problem` is the part of the path that isn't supported, and the reason. */
  PROJECT_PATH: (v: { path: string; problem: string }) =>
    `The path of the project, ${JSON.stringify(v.path)}, contains ${v.problem}. Rename or move the folder.`,
  /** `user` is the program that uses the port. */
  PORT_IN_USE: (v: { port: number; user: string }) =>
    `Port ${v.port} is used by ${v.user}. Stop that program, or choose another port: --port ${v.port + 1}, or PORT=${v.port + 1}.`,
  ALREADY_RUNNING: (v: { port: number; pid: number }) =>
    `The dev server of this folder is already running at http://localhost:${v.port}, as process ${v.pid}. Open that address, or stop it with kill ${v.pid}. To run a second server, choose another port: --port ${v.port + 1}, or PORT=${v.port + 1}.`,
  NOT_LISTENING: (v: { reason: string }) =>
    `The server can't listen: ${v.reason}. Choose a different --host or --port.`,
  PORT_VALUE: (v: { source: string; value: string }) =>
    `${v.source} is ${JSON.stringify(v.value)}, which is not a port. Set a number from 0 to 65535.`,
  ASSETS_FROM: (v: { folder: string }) =>
    `${v.folder} has no build to copy assets from. Pass the folder of a built app to --assets-from.`,
  SHARED_ASSETS: (v: { folder: string; reason: string }) =>
    `The shared assets folder ${v.folder} can't be written to: ${v.reason}. Make it writable for this process, or remove --shared-assets.`,
  NO_BUILD: (v: { folder: string }) =>
    `${v.folder} has no build of the app. Run waymark build first.`,
  BUILD_CLOSED: (v: { folder: string; file: string; uid: number; gid: number }) =>
    `The server runs as user ${v.uid}, who can't read ${v.file}. Give that user's group access to the build: chgrp -R ${v.gid} ${v.folder} && chmod -R g+rX ${v.folder}`,
  PACKAGES_MISSING: (v: { names: readonly string[]; folder: string }) =>
    `The build in ${v.folder} needs packages that are not installed here: ${v.names.join(', ')}. Run ${installCommand(v.names.join(' '))} in one of its parent folders.`,
  OTHER_BUILD: (v: { folder: string; built: string; current: string }) =>
    `${v.folder} was built with Waymark ${v.built}, but this is Waymark ${v.current}. Run waymark build again.`,
  NO_APP_FOLDER: (v: { folder: string }) =>
    `The folder ${v.folder} does not exist. Create it with a layout.tsx and a page.tsx, or choose another one: waymark({ appDir: 'src/app' }) in vite.config.ts.`,
  NO_ROUTES: (v: { folder: string }) =>
    `${v.folder} has no routes. Add a page: ${v.folder}/page.tsx.`,
  CONFIG_WITHOUT_PLUGIN: (v: { file: string }) =>
    `${v.file} has no waymark() in its plugins. Add it: import { waymark } from 'waymark/vite', then plugins: [waymark()]. Or delete the file, which is optional.`,
  PACKAGE_WITHOUT_WAYMARK: (v: { file: string; name: string }) =>
    `${v.file} lists ${v.name}, which extends Waymark, but has no waymark() in its plugins. Add it: import { waymark } from 'waymark/vite', then plugins: [waymark(), …].`,
  PACKAGE_TWICE: (v: { name: string }) =>
    `The plugins in the Vite configuration contain ${v.name} twice. Remove one of them.`,
  PACKAGE_HOOK_CONFLICT: (v: { hook: string; names: readonly string[] }) =>
    `${v.names.join(' and ')} both have the hook ${v.hook}, but only one package can have it. Remove one of them from the plugins in the Vite configuration.`,
  UNKNOWN_VARIANT: (v: { id: string; pathname: string; ids: readonly string[] }) =>
    `The function that chooses the variant of a page returned ${JSON.stringify(v.id)} for ${v.pathname}, but the build has only ${v.ids.join(', ')}. Return one of these.`,
  BUILD_CHECK: (v: { text: string }) => `The build stopped because of a check. ${v.text}`,
  HOST_LACKS: (v: { adapter: string; uses: readonly string[]; features: readonly string[] }) =>
    `These parts of the app don't work on ${v.adapter}: ${v.uses.join(', ')}. Remove them, or choose another adapter. To build the app anyway, set waymark({ allowMissing: [${v.features.map((each) => `'${each}'`).join(', ')}] }) in vite.config.ts.`,
  PACKAGE_ENDPOINT: (v: {
    name: string
    path: string
    other: string | null
    isReserved: boolean
  }) => {
    if (v.isReserved) {
      return `The package ${v.name} has an endpoint at ${v.path}, which is reserved for Waymark. Choose a path that begins with the name of the package, such as /_waymark/my-package.`
    }
    return v.other === null
      ? `The package ${v.name} has an endpoint at ${JSON.stringify(v.path)}. Its path must begin with /_waymark/ and have no query.`
      : `The packages ${v.other} and ${v.name} both have an endpoint at ${v.path}. Remove one of them from the plugins in the Vite configuration.`
  },
  OPTION_IS_PACKAGE: (v: { file: string; name: string; lines: string }) =>
    `${v.file}: waymark() has no option ${v.name}, because it is a separate package. Write ${v.lines}.`,
  PATCHES_OPTION: (v: { file: string; lines: string }) =>
    `${v.file}: waymark() no longer has the option patches, because builds bundle React's files unchanged. Remove it. For a faster version of React's files, write ${v.lines}.`,
  PACKAGE_NOT_LISTED: (v: { neededFor: string; name: string; lines: string; isBuilt: boolean }) =>
    `${v.neededFor} needs the package ${v.name}. Run ${installCommand(v.name)}, and add to vite.config.ts: ${v.lines}.${v.isBuilt ? ' Then build the app again.' : ''}`,
  STORE_UNSET: (v: { names: readonly string[] }) =>
    `The app lists a store for its cache and journal, but ${v.names.join(' or ')} isn't set. Without the store, each server has a cache and a journal of its own. Set ${v.names.join(' or ')} where the server runs, not only where it is built. For a server without the store, set it to none.`,
  DIRECTIVE_NOT_COMPILED: (v: {
    place: string
    directive: string
    instead: string
    lines: string
  }) =>
    `${v.place} has the directive '${v.directive}', but none of this app's plugins compiles it, so the function would run for each request. ${v.instead} To keep the directive, ${v.lines}.`,
  DIRECTIVE_IN_BROWSER: (v: { place: string; directive: string }) =>
    `${v.place} has the directive '${v.directive}', but runs in browsers. Move the function to a server file.`,
  BASE_OPTION: (v: { value: string }) =>
    `Vite's option base is ${v.value}, but only scripts and stylesheets would use it. Remove it. Instead, set the app's path, waymark({ basePath: '/docs' }), or the URL of its assets, waymark({ assetPrefix: 'https://cdn.example.com' }).`,
  SERVER_ENTRY_IN_CLIENT: (v: { entry: string; importers: readonly string[] }) =>
    `${v.importers[0]} imports ${v.entry}, which only works on the server. But the file is part of ${['the client code', ...v.importers.slice(1)].join(', imported by ')}. Read the data in a server component and pass it as a prop, or read it in a server action.`,
  /** `packageName` is the importing file's package, or `null` for one of the app's own files. */
  NATIVE_ADDON: (v: { file: string; importer: string; packageName: string | null }) =>
    v.packageName === null
      ? `${v.importer} imports ${v.file}, which is machine code and can't be bundled. Import it from a package instead, and add the name of that package to ssr.external in vite.config.ts.`
      : `${v.importer} imports ${v.file}, which is machine code and can't be bundled. Exclude its package from the bundle: ssr: { external: ['${v.packageName}'] } in vite.config.ts. The package must then be installed where the server runs.`,
  MDX_NOT_INSTALLED: (v: { file: string }) =>
    `${v.file} needs @mdx-js/rollup, which is not installed. Run ${installCommand('-D @mdx-js/rollup')}.`,
  ACTIONS_NOT_SEALED: (v: { file: string }) =>
    `${v.file} has an action that closes over values, which Waymark can't encrypt with this version of @vitejs/plugin-rsc. Pass the values as arguments instead, or install the version that Waymark lists in its dependencies.`,
  REACT_SERVER_DOM_TOO_OLD: (v: { path: string; version: string; needed: string }) =>
    `The server components runtime at ${v.path} has version ${v.version}. Versions before ${v.needed} let strangers run code on the server. Update it, or remove react-server-dom-webpack from package.json to use the version that comes with Waymark.`,
  PRERENDER_FAILED: (v: { pathname: string; file: string; reason: string }) =>
    `${v.pathname} (${v.file}) could not be prerendered: ${v.reason}. Fix the error. To render it for each request instead, add "export const dynamic = 'force-dynamic'" to the file.`,
  PRERENDER_MEMORY: (v: { pages: readonly string[]; reason: unknown }) =>
    `The process that prerenders pages ended (${v.reason}), most likely because it ran out of memory. It was rendering ${v.pages.join(', ') || 'no page yet'}. Give the build more memory, build on a different machine and copy the build, or prerender fewer pages: return fewer params from generateStaticParams(). See "Memory of builds" in the guide.`,
  PRERENDER_TIMEOUT: (v: { pages: readonly string[]; seconds: number }) =>
    `Prerendering ${v.pages.join(' or ')} took longer than ${v.seconds} s. Find out what it waits for. To render it for each request instead, add "export const dynamic = 'force-dynamic'" to the file.`,
  STATIC_ROUTES_MISSING: (v: { routes: readonly string[] }) =>
    `Not every route of this app can be served from a static folder. These can't: ${v.routes.join('; ')}. Make them static, or leave them out: staticSite({ allowMissing: true }).`,
  STATIC_OUT: (v: { folder: string; reason: string }) =>
    `The folder ${v.folder} can't be written to: ${v.reason}. Choose another one: staticSite({ out: 'site' }).`,
  OUTSIDE_REQUEST: (v: { api: string }) =>
    `${v.api} was called outside of a request. Call it while a page, layout, route handler, action or proxy.ts runs, not at the top level of a module, in a timer or in a client component. If a request was running, two copies of Waymark are loaded: a linked package has a copy in its node_modules. Remove that copy.`,
  ACTION_SECRET: (v: { reason: string }) =>
    `The variables that server actions close over can't be encrypted, because ${v.reason}. Set WAYMARK_SECRET to a random string of at least 32 characters, the same for every replica.`,
  COOKIES_READ_ONLY: (v: { name: string; why: string }) =>
    `The cookie ${v.name} can't be set ${v.why}. Set cookies in a server action, a route handler or proxy.ts, before they respond.`,
  COOKIE_INVALID: (v: { name: string; reason: string }) =>
    `The cookie ${JSON.stringify(v.name)} can't be set: ${v.reason}.`,
  HEADERS_READ_ONLY: (v: { method: string }) =>
    `headers() returns the headers of the request, so ${v.method}() would have no effect. Set response headers in a route handler's Response or in proxy.ts.`,
  REVALIDATE_PATH: (v: { path: string; reason: string }) =>
    `revalidatePath(${JSON.stringify(v.path)}) was refused: ${v.reason}. Pass a path on this site, such as /blog/first, or a route pattern, such as /blog/[slug].`,
  REFRESH_OUTSIDE_ACTION: (_: object) =>
    'refresh() was called outside of an action, so no page is waiting for the result. Call it in a server action, or call router.refresh() in the browser.',
  REDIRECT_TARGET: (v: { location: string; reason: string }) =>
    `The redirect to ${JSON.stringify(v.location)} was refused: ${v.reason}. Pass a path on this site, such as /login, or a full URL that begins with https:// or http://.`,
  TAINT_VALUE: (v: { api: string; reason: string }) =>
    `${v.api} can't protect this value: ${v.reason}.`,
  SECRET_IN_CLIENT: (v: { name: string; file: string }) =>
    `The value of the server's environment variable ${v.name} is in ${v.file}, which browsers download. Read the variable only on the server, in a module that begins with import 'server-only', and pass on only what may be public. If the value may be public, list the variable: waymark({ security: { publicEnv: ['${v.name}'] } }).`,
  LINK_TARGET: (v: { href: string; reason: string }) =>
    `The link to ${JSON.stringify(v.href)} was refused: ${v.reason}. Use a path on this site, or a full URL with its scheme. If you need this target, write a plain <a>.`,
  SERVER_EXPORT: (v: { reason: string }) =>
    `server.ts can't be used: ${v.reason}. Its default export must be an object with any of the functions cache, journal, user and around, and the number maxDocuments. Instead of a function, around can be { run, observes: true }.`,
  SERVER_DRIVER: (v: { name: string; missing: readonly string[] }) =>
    `${v.name}() in server.ts did not return a driver: the result has no ${v.missing.join('(), no ')}(). Return a ${v.name === 'cache' ? 'CacheDriver' : 'JournalDriver'}, a type from waymark/drivers.`,
  CODE_NOT_LOADED: (v: { what: string; seconds: number }) =>
    `${v.what} did not finish loading within ${v.seconds} s. If it, or a module that it imports, has a top-level await that never finishes, move that await into a function. If the machine was busy, load the page again.`,
  SERVER_AROUND: (v: { pathname: string; reason: string }) =>
    `around() in server.ts failed for ${v.pathname}: ${v.reason}. Return the Response from handle() or a new Response, in time.`,
  SERVER_USER: (v: { reason: string }) =>
    `Waymark can't find out who sent a request: ${v.reason}. Add a function user() to server.ts that returns the id of the signed-in user, or null.`,
  PROXY_EXPORT: (v: { exported: readonly string[] }) =>
    `proxy.ts doesn't export a function to run${v.exported.length ? `, only ${v.exported.join(', ')}` : ''}. Export one as default, or with the name proxy.`,
  PROXY_MATCHER: (v: { matcher: string; reason: string }) =>
    `The matcher ${v.matcher} in proxy.ts can't be used: ${v.reason}.`,
  PROXY_RESULT: (v: { pathname: string; reason: string }) =>
    `The result of proxy.ts for ${v.pathname} can't be used: ${v.reason}. Return a Response, next(), rewrite() or nothing.`,
  PROXY_REWRITE: (v: { target: string; reason: string }) =>
    `proxy.ts can't rewrite to ${JSON.stringify(v.target)}: ${v.reason}. Rewrite to a path on this site. For another site, return its Response: return fetch(url).`,
  ROUTE_HANDLER_RESULT: (v: { method: string; pathname: string; reason: string }) =>
    `The route handler ${v.method} ${v.pathname} can't respond: ${v.reason}. Return a Response.`,
  METADATA_FILE_PLACE: (v: { file: string; kind: string }) =>
    `${v.file} is ignored, because a ${v.kind} file describes the whole site and must be at the root of app/. Move it there, or delete it.`,
  METADATA_FILE_EXPORT: (v: { file: string; kind: string }) =>
    `${v.file} has no function as its default export. Write one that returns the content: export default function ${v.kind}() { return … }.`,
  IMAGE_FILE: (v: { file: string; reason: string }) =>
    `${v.file} can't be used as a page's image: ${v.reason}.`,
  METADATA_FILE_RESULT: (v: { file: string; reason: string; shape: string }) =>
    `${v.file} can't be served: ${v.reason}. Return ${v.shape}.`,
  PACKAGE_NOT_INSTALLED: (v: { name: string; neededFor: string }) =>
    `${v.neededFor} needs the package ${v.name}, which is not installed. Run ${installCommand(v.name)}.`,
  REQUEST_IN_CACHE: (v: { api: string }) =>
    `${v.api} was used in a cached function, whose result is shared with other requests. Read the value outside and pass it as an argument, or don't cache the function.`,
  PUBLIC_ENV: (v: { name: string }) =>
    `publicEnv() can't read ${v.name}, which is not public. Names of public variables begin with PUBLIC_ or VITE_. Read other variables from process.env, on the server.`,
  OUTSIDE_CACHE: (v: { api: string }) =>
    `${v.api} was called outside of a cached function. Call it in a function or component that is passed to cached(). In an app with next(), you can also call it in a function with 'use cache'.`,
  CACHED_WITHOUT_KEY: (v: { name: string }) =>
    `cached() was called for ${v.name || 'a function'} inside another function, where the build can't give it a name. Call it at the top level of a module, and pass captured variables as arguments. Or set the key option.`,
  CACHE_KEY_COMPONENT: (v: { id: string }) =>
    `The result of the cached function ${v.id} contains a client component, which belongs to one build, but a result with a key outlives the build. Remove the key, or return plain data.`,
  CACHE_CIRCLE: (v: { id: string }) =>
    `The cached function ${v.id} calls itself with the same arguments, so it would wait for its own result. Change an argument, or split the function.`,
  CACHE_LIFETIME: (v: { value: string }) =>
    `${v.value} is not a lifetime. Use a name (seconds, minutes, hours, days, weeks, max, or one from waymark({ cacheLife })) or seconds: { revalidate: 60, expire: 3600 }. The value of expire must not be less than the value of revalidate.`,
  REVALIDATE_IN_RENDER: (v: { api: string }) =>
    `${v.api} was called while a page was rendering, but rendering must not change what others see. Call it in a server action, a route handler, proxy.ts or after().`,
  METADATA_TWICE: (v: { file: string; names: readonly string[] }) =>
    `${v.file} exports both ${v.names.join(' and ')}. Keep one.`,
  METADATA_IN_CLIENT_FILE: (v: { file: string; name: string }) =>
    `${v.file} exports ${v.name}, but 'use client' makes it a client file, whose exports the server can't read. Move ${v.name} to a server file: the layout, or a page that renders this component.`,
  METADATA_BASE: (v: { value: string }) =>
    `metadataBase is ${JSON.stringify(v.value)}, which is not an absolute URL. Write it with its scheme, such as https://example.com.`,
  CLIENT_LEFT: (_: object) => 'The client closed the connection before it had sent the whole body.',
  SEARCH_PARAMS: (v: { search: string; reason: string }) =>
    `The query ${JSON.stringify(v.search)} does not match the schema of useSearchParams(schema): ${v.reason}. Give the schema defaults, or catch the error.`,
} as const

export type ErrorCode = keyof typeof errorTable

type ErrorValues<C extends ErrorCode> = Parameters<(typeof errorTable)[C]>[0]

/** An error for the author of the app. */
export class FrameworkError extends Error {
  override readonly name = 'FrameworkError'
  /** Code of the error, from the error table or from a package's driver. */
  readonly code: string
  readonly files: readonly string[]

  /** The string that was refused, if a client may have sent it. */
  readonly text: string | undefined

  constructor(code: string, message: string, files: readonly string[] = [], text?: string) {
    super(`${message} (${code})`)
    this.code = code
    this.files = files
    this.text = text
  }
}

/** Creates an error from the error table. @param text the string that was refused, if a client may have sent it */
export function frameworkError<C extends ErrorCode>(
  code: C,
  values: ErrorValues<C>,
  text?: string,
): FrameworkError {
  // The built client prints only the code and the values, so that it doesn't contain the error
  // table. Outside of Vite, `env` is undefined.
  if (import.meta.env?.PROD && !import.meta.env.SSR) {
    return new FrameworkError(code, JSON.stringify(values), [], text)
  }
  const write = errorTable[code] as (values: ErrorValues<C>) => string
  const { files } = values as { readonly files?: readonly string[] }
  return new FrameworkError(code, write(values), files, text)
}

/** Checks an option. @throws `OPTION_VALUE`, with the path of the option within `waymark()` */
export function checkOption(isValid: boolean, option: string, value: unknown, rule: string): void {
  if (!isValid) throw frameworkError('OPTION_VALUE', { option, value: String(value), rule })
}
