/** Mistakes of an app's author. A message says what happened, with the values, then what to do. */
const errorTable = {
  ROUTE_CONFLICT: (v: { url: string; files: readonly string[] }) =>
    `Two files answer ${v.url}: ${v.files.join(' and ')}. Move or delete one.`,
  PAGE_BESIDE_ROUTE: (v: { files: readonly string[] }) =>
    `A page and a route handler stand in one folder: ${v.files.join(' and ')}. Move or delete one.`,
  DUPLICATE_FILE: (v: { role: string; files: readonly string[] }) =>
    `More than one ${v.role} file stands in one folder: ${v.files.join(' and ')}. Keep one.`,
  SLOT_WITHOUT_DEFAULT: (v: {
    slot: string
    folder: string
    url: string
    files: readonly string[]
  }) =>
    `The slot ${v.slot} shows nothing at ${v.url}, where it has no page. Add ${v.folder}/default.tsx with what it shows there.`,
  NO_ROOT_LAYOUT: (v: { file: string }) =>
    `${v.file} has no root layout above it. Add app/layout.tsx, which renders <html> and <body>, or move the file below a layout that does.`,
  ROOT_LAYOUT_HTML: (v: { file: string }) =>
    `${v.file} is the root layout of a page, and renders no <html>. Return <html> with <body> and the children in it; or delete the file, if a layout further in does that.`,
  INTERCEPT_WITHOUT_TARGET: (v: { file: string; url: string }) =>
    `${v.file} is shown in place of ${v.url} while navigating, and no page has that URL: it would be 404 after a reload. Add a page for it, or correct the name of the folder.`,
  IGNORED_FILE: (v: { file: string; instead: string }) =>
    `${v.file} has no meaning here and would be ignored. ${v.instead}`,
  SEGMENT_OPTION: (v: { file: string; name: string; value: string; rule: string }) =>
    `${v.file} exports ${v.name} = ${v.value}, which means nothing: ${v.rule}.`,
  /** `owner`: the entry of Waymark that exports it; `source` is another one. */
  MISSING_EXPORT: (v: {
    file: string
    name: string
    source: string
    exportNames: readonly string[]
    owner?: string | null
  }) => {
    const start = `${v.file} imports ${v.name} from ${v.source}, which has no such export: `
    if (v.owner) return `${start}it is in ${v.owner}. Import it from there.`
    const list = v.exportNames.length > 0 ? `it has ${v.exportNames.join(', ')}` : 'it has none'
    return `${start}${list}. Correct the name, or export it there.`
  },
  NO_DEFAULT_EXPORT: (v: { file: string; actual: string }) =>
    `${v.file} has no component as its default export: it is ${v.actual}. Write export default function … in it.`,
  ERROR_FILE_ON_SERVER: (v: { file: string }) =>
    `${v.file} is for the browser, too: begin it with 'use client'. It shows what is thrown there, and has a button that tries again.`,
  ROUTE_WITHOUT_METHOD: (v: { file: string }) =>
    `${v.file} has a default export, and no function for GET, POST or another method. Write export function GET() … in it.`,
  PARAMS_NOT_AWAITED: (v: { name: string }) =>
    `params is a promise: write (await params).${v.name}, or in a client component use(params).${v.name}.`,
  NODE_IN_CLIENT: (v: { file: string; source: string }) =>
    `${v.file} imports ${v.source}, which only Node has, and is part of the code of client components. Read what is needed in a server component and pass it on as a prop, or in a server action.`,
  STATIC_PARAMS: (v: { file: string; returned: string; params: readonly string[] }) =>
    `generateStaticParams of ${v.file} returned ${v.returned}, which has no URL here. Return a list of objects with ${v.params.join(', ')}.`,
  PARAM_NAME_CONFLICT: (v: { names: readonly string[]; files: readonly string[] }) =>
    `One dynamic segment has two names, ${v.names.join(' and ')}: ${v.files.join(' and ')}. Use the same name in both.`,
  ROUTE_IN_SLOT: (v: { file: string }) =>
    `The route handler ${v.file} is never called, because it stands in a slot or an intercepting folder. Move it to a folder outside of them.`,
  PARAM_VALUE: (v: { pattern: string; param: string; value: string; reason: string }) =>
    `The param ${v.param} of ${v.pattern} can't be ${v.value}: ${v.reason}.`,
  HREF_PATHNAME: (v: { pathname: string; reason: string }) =>
    `The pathname ${v.pathname} can't be linked to: ${v.reason}.`,
  SEGMENT_NAME: (v: { folder: string; reason: string }) =>
    `The folder name ${v.folder} can't be a segment: ${v.reason}.`,
  UNKNOWN_OPTION: (v: { file: string; name: string; names: readonly string[] }) =>
    `${v.file}: waymark() has no option ${v.name}. It has ${v.names.join(', ')}.`,
  OPTION_VALUE: (v: { option: string; value: string; rule: string }) =>
    `The option ${v.option} can't be ${v.value}: ${v.rule}.`,
  THEME_COOKIE: (v: { api: string }) =>
    `${v.api} reads the theme from a cookie, and none is written. Turn theme.cookie on, in the options of waymark() in vite.config.ts.`,
  PORT_TAKEN: (v: { port: number }) =>
    `Port ${v.port} is taken by another program. Stop that one, or choose another port: --port ${v.port + 1}, or PORT=${v.port + 1}.`,
  NOT_LISTENING: (v: { reason: string }) => `${v.reason}. Choose another --host or --port.`,
  PORT_VALUE: (v: { source: string; value: string }) =>
    `${v.source} is ${JSON.stringify(v.value)}, which is no port. Set a number from 0 to 65535.`,
  ASSETS_FROM: (v: { folder: string }) =>
    `${v.folder} holds no build whose assets could be kept. Name the folder of a built app with --assets-from.`,
  SHARED_ASSETS: (v: { folder: string; reason: string }) =>
    `The folder of shared assets, ${v.folder}, can't be written to: ${v.reason}. Make it writable for this process, or leave --shared-assets out.`,
  NO_BUILD: (v: { folder: string }) =>
    `${v.folder} holds no build of the app. Run waymark build first.`,
  BUILD_CLOSED: (v: { folder: string; file: string; uid: number; gid: number }) =>
    `The server runs as the user ${v.uid}, who may not read ${v.file}. Give its group access to the build: chgrp -R ${v.gid} ${v.folder} && chmod -R g+rX ${v.folder}`,
  PACKAGES_MISSING: (v: { names: readonly string[]; folder: string }) =>
    `The build in ${v.folder} needs packages that are not installed here: ${v.names.join(', ')}. Run npm install ${v.names.join(' ')} in a folder above it.`,
  OTHER_BUILD: (v: { folder: string; built: string; current: string }) =>
    `${v.folder} was written by Waymark ${v.built}, and this is ${v.current}. Run waymark build again.`,
  NO_APP_FOLDER: (v: { folder: string }) =>
    `There is no folder ${v.folder}. Make it, with a layout.tsx and a page.tsx, or name another one: waymark({ appDir: 'src/app' }) in vite.config.ts.`,
  NO_ROUTES: (v: { folder: string }) =>
    `${v.folder} holds no route. Add a page: ${v.folder}/page.tsx.`,
  CONFIG_WITHOUT_PLUGIN: (v: { file: string }) =>
    `${v.file} has no waymark() among its plugins. Add it: import { waymark } from 'waymark/vite', then plugins: [waymark()]; or delete the file, which is optional.`,
  PACKAGE_WITHOUT_WAYMARK: (v: { file: string; name: string }) =>
    `${v.file} lists ${v.name}, which extends Waymark, and has no waymark() among its plugins. Add it: import { waymark } from 'waymark/vite', then plugins: [waymark(), …].`,
  PACKAGE_TWICE: (v: { name: string }) =>
    `The plugins of the Vite configuration hold ${v.name} twice. Remove one of them.`,
  PACKAGE_HOOK_TAKEN: (v: { hook: string; names: readonly string[] }) =>
    `${v.names.join(' and ')} both have the hook ${v.hook}, which one package alone can have. Remove one of them from the plugins of the Vite configuration.`,
  PACKAGE_ENDPOINT: (v: {
    name: string
    path: string
    other: string | null
    isReserved: boolean
  }) => {
    if (v.isReserved) {
      return `The package ${v.name} has an endpoint at ${v.path}, where Waymark itself responds. Choose a path that begins with the name of the package, as /_waymark/my-package.`
    }
    return v.other === null
      ? `The package ${v.name} has an endpoint at ${JSON.stringify(v.path)}. Paths of endpoints begin with /_waymark/ and have no query.`
      : `The packages ${v.other} and ${v.name} both have an endpoint at ${v.path}. Remove one of them from the plugins of the Vite configuration.`
  },
  OPTION_IS_PACKAGE: (v: { file: string; name: string; lines: string }) =>
    `${v.file}: waymark() has no option ${v.name}; it is a package. Write ${v.lines}.`,
  PATCHES_OPTION: (v: { file: string; lines: string }) =>
    `${v.file}: waymark() has no option patches any more. Remove it: builds bundle React's files as they are. For a React that is changed for speed, write ${v.lines}.`,
  PACKAGE_NOT_LISTED: (v: { neededFor: string; name: string; lines: string; isBuilt: boolean }) =>
    `${v.neededFor} needs the package ${v.name}. Run npm install ${v.name}, and write in vite.config.ts: ${v.lines}.${v.isBuilt ? ' Then build the app again.' : ''}`,
  DIRECTIVE_NOT_COMPILED: (v: {
    place: string
    directive: string
    instead: string
    lines: string
  }) =>
    `${v.place} says '${v.directive}', a directive that no plugin of this app compiles: the function would run for each request. ${v.instead} To keep the directive, ${v.lines}.`,
  DIRECTIVE_IN_BROWSER: (v: { place: string; directive: string }) =>
    `${v.place} says '${v.directive}', but runs in browsers. Move the function to a file for the server.`,
  BASE_OPTION: (v: { value: string }) =>
    `Vite's option base is ${v.value}, and scripts and styles alone would follow it. Remove it, and say where the app is: waymark({ basePath: '/docs' }), or where its assets are: waymark({ assetPrefix: 'https://cdn.example.com' }).`,
  SERVER_ENTRY_IN_CLIENT: (v: { entry: string; importers: readonly string[] }) =>
    `${v.importers[0]} imports ${v.entry}, which is for the server, and is part of the code of ${['client components', ...v.importers.slice(1)].join(', imported by ')}. Read what is needed in a server component and pass it on as a prop, or in a server action.`,
  /** `packageName`: the package that holds the importer; `null` for a file of the app. */
  NATIVE_ADDON: (v: { file: string; importer: string; packageName: string | null }) =>
    v.packageName === null
      ? `${v.importer} imports ${v.file}, machine code that can't be bundled. Import it from a package instead, and keep that package out of the bundle by its name in ssr.external of vite.config.ts.`
      : `${v.importer} imports ${v.file}, machine code that can't be bundled. Keep its package out of the bundle: ssr: { external: ['${v.packageName}'] } in vite.config.ts. The package must then be installed where the server runs.`,
  MDX_NOT_INSTALLED: (v: { file: string }) =>
    `${v.file} needs @mdx-js/rollup, which is not installed. Run npm install --save-dev @mdx-js/rollup.`,
  ACTIONS_NOT_SEALED: (v: { file: string }) =>
    `The values that an action in ${v.file} closes over would not be encrypted by Waymark: this version of @vitejs/plugin-rsc compiles actions in another way. Pass the values as arguments instead, or install the version that Waymark names in its dependencies.`,
  REACT_SERVER_DOM_TOO_OLD: (v: { path: string; version: string; needed: string }) =>
    `The server components runtime at ${v.path} has version ${v.version}, and older ones than ${v.needed} let strangers run code on the server. Update it, or remove react-server-dom-webpack from package.json to use the one that Waymark brings.`,
  PRERENDER_FAILED: (v: { pathname: string; file: string; reason: string }) =>
    `${v.pathname} (${v.file}) could not be prerendered: ${v.reason}. Fix it, or export const dynamic = 'force-dynamic' to render it for each request.`,
  PRERENDER_TIMEOUT: (v: { pages: readonly string[]; seconds: number }) =>
    `Prerendering ${v.pages.join(' or ')} took longer than ${v.seconds} s. Find what it waits for, or export const dynamic = 'force-dynamic' to render it for each request.`,
  STATIC_ROUTES_MISSING: (v: { routes: readonly string[] }) =>
    `A static folder can't hold every route. Left out: ${v.routes.join('; ')}. Make them static, or leave them out: staticSite({ allowMissing: true }).`,
  STATIC_OUT: (v: { folder: string; reason: string }) =>
    `The folder ${v.folder} can't be written to: ${v.reason}. Name another one: staticSite({ out: 'site' }).`,
  OUTSIDE_REQUEST: (v: { api: string }) =>
    `${v.api} was called outside a request. Call it while a page, layout, route handler, action or proxy.ts runs: not at the top level of a module, not in a timer, not in a client component. Within a request, two copies of Waymark are loaded: a linked package has its own in its node_modules. Remove that copy.`,
  ACTION_SECRET: (v: { reason: string }) =>
    `What server actions close over can't be sealed: ${v.reason}. Set WAYMARK_SECRET to a random text of 32 characters or more, the same for every replica.`,
  COOKIES_READ_ONLY: (v: { name: string; why: string }) =>
    `The cookie ${v.name} can't be set ${v.why}. Set cookies in a server action, a route handler or proxy.ts, before they respond.`,
  COOKIE_INVALID: (v: { name: string; reason: string }) =>
    `The cookie ${JSON.stringify(v.name)} can't be set: ${v.reason}.`,
  HEADERS_READ_ONLY: (v: { method: string }) =>
    `headers() holds what the client sent, so ${v.method}() has no effect on it. Set headers of the response in a route handler's Response or in proxy.ts.`,
  REVALIDATE_PATH: (v: { path: string; reason: string }) =>
    `revalidatePath(${JSON.stringify(v.path)}) is refused: ${v.reason}. Give a path of the site, such as /blog/first, or the pattern of a route, such as /blog/[slug].`,
  REFRESH_OUTSIDE_ACTION: (_: object) =>
    'refresh() was called outside of an action: there is no page that waits for its response. Call it in a server action, or router.refresh() in the browser.',
  REDIRECT_TARGET: (v: { location: string; reason: string }) =>
    `Redirecting to ${JSON.stringify(v.location)} is refused: ${v.reason}. Give a path of the site, such as /login, or a whole URL that begins with https:// or http://.`,
  TAINT_VALUE: (v: { api: string; reason: string }) =>
    `${v.api} can't mark this value: ${v.reason}.`,
  SECRET_IN_CLIENT: (v: { name: string; file: string }) =>
    `The value of the server's environment variable ${v.name} is in ${v.file}, which browsers get. Read it on the server only, in a module that begins with import 'server-only', and pass on what may be known. If anybody may know it, list it: waymark({ security: { publicEnv: ['${v.name}'] } }).`,
  LINK_TARGET: (v: { href: string; reason: string }) =>
    `Linking to ${JSON.stringify(v.href)} is refused: ${v.reason}. Give a path of the site, or a whole URL with its scheme. Where such a target is meant, write a plain <a>.`,
  SERVER_EXPORT: (v: { reason: string }) =>
    `server.ts can't be used: ${v.reason}. Write export default { cache, journal, around, maxDocuments }, each of them optional: three functions and a number. An around that decides nothing may be { run, observes: true }.`,
  SERVER_DRIVER: (v: { name: string; missing: readonly string[] }) =>
    `What ${v.name}() in server.ts returned is no driver: it has no ${v.missing.join('(), no ')}(). Return a ${v.name === 'cache' ? 'CacheDriver' : 'JournalDriver'}, a type of waymark/drivers.`,
  CODE_NOT_LOADED: (v: { what: string; seconds: number }) =>
    `${v.what} did not finish loading within ${v.seconds} s: an await at the top level of it, or of what it imports, does not end. Move that await into a function.`,
  SERVER_AROUND: (v: { pathname: string; reason: string }) =>
    `around() in server.ts failed for ${v.pathname}: ${v.reason}. Return the Response of handle(), or one of its own, in time.`,
  SERVER_USER: (v: { reason: string }) =>
    `Waymark can't find out who sends a request: ${v.reason}. Give server.ts a function user() that returns the id of the user who is signed in, or null.`,
  PROXY_EXPORT: (v: { exported: readonly string[] }) =>
    `proxy.ts exports no function to run${v.exported.length ? `, only ${v.exported.join(', ')}` : ''}. Export one as default, or with the name proxy.`,
  PROXY_MATCHER: (v: { matcher: string; reason: string }) =>
    `The matcher ${v.matcher} in proxy.ts can't be used: ${v.reason}.`,
  PROXY_RESULT: (v: { pathname: string; reason: string }) =>
    `What proxy.ts returned for ${v.pathname} can't be used: ${v.reason}. Return a Response, next(), rewrite() or nothing.`,
  PROXY_REWRITE: (v: { target: string; reason: string }) =>
    `proxy.ts can't rewrite to ${JSON.stringify(v.target)}: ${v.reason}. A rewrite goes to a path of this site; for another site, return its Response: return fetch(url).`,
  ROUTE_HANDLER_RESULT: (v: { method: string; pathname: string; reason: string }) =>
    `The route handler ${v.method} ${v.pathname} has no valid response: ${v.reason}. Return a Response.`,
  METADATA_FILE_PLACE: (v: { file: string; kind: string }) =>
    `${v.file} is ignored: a ${v.kind} file is about the whole site and stands at the root of app/ only. Move it there, or delete it.`,
  METADATA_FILE_EXPORT: (v: { file: string; kind: string }) =>
    `${v.file} has no function as its default export. Write one that returns what it holds: export default function ${v.kind}() { return … }.`,
  IMAGE_FILE: (v: { file: string; reason: string }) =>
    `${v.file} can't be an image of a page: ${v.reason}.`,
  METADATA_FILE_RESULT: (v: { file: string; reason: string; shape: string }) =>
    `${v.file} has no valid response: ${v.reason}. Return ${v.shape}.`,
  PACKAGE_NOT_INSTALLED: (v: { name: string; neededFor: string }) =>
    `${v.neededFor} needs the package ${v.name}, which is not installed. Run npm install ${v.name}.`,
  REQUEST_IN_CACHE: (v: { api: string }) =>
    `${v.api} was used in a cached function, whose result others get, too. Read it outside, and pass what is needed as an argument; or leave the function uncached.`,
  PUBLIC_ENV: (v: { name: string }) =>
    `publicEnv() was asked for ${v.name}, which is not public. Names of public variables begin with PUBLIC_ or VITE_; read others from process.env, on the server.`,
  OUTSIDE_CACHE: (v: { api: string }) =>
    `${v.api} was called outside of a cached function. Call it in a function or component that is passed to cached(). In an app with next(), a function with 'use cache' is one, too.`,
  CACHED_WITHOUT_KEY: (v: { name: string }) =>
    `cached() was called for ${v.name || 'a function'} inside of another function, where the build can't name it. Call it at the top level of a module, and pass as arguments what the function needs; or give it a key.`,
  CACHE_KEY_COMPONENT: (v: { id: string }) =>
    `The result of the cached function ${v.id} holds a client component, and what has a key outlives the build that the component belongs to. Leave out the key, or return data.`,
  CACHE_CIRCLE: (v: { id: string }) =>
    `The cached function ${v.id} calls itself with the same arguments, so its result would wait for itself. Change an argument, or split the function.`,
  CACHE_LIFETIME: (v: { value: string }) =>
    `${v.value} is no lifetime. Give the name of one (seconds, minutes, hours, days, weeks, max, or one of waymark({ cacheLife })), or seconds: { revalidate: 60, expire: 3600 }, with expire not before revalidate.`,
  REVALIDATE_IN_RENDER: (v: { api: string }) =>
    `${v.api} was called while a page renders, which must not change what others see. Call it in a server action, a route handler, proxy.ts or after().`,
  METADATA_TWICE: (v: { file: string; names: readonly string[] }) =>
    `${v.file} exports both ${v.names.join(' and ')}. Keep one.`,
  METADATA_IN_CLIENT_FILE: (v: { file: string; name: string }) =>
    `${v.file} exports ${v.name}, but 'use client' makes it a client file, whose exports the server can't read. Move ${v.name} to a server file: the layout, or a page that renders this component.`,
  METADATA_BASE: (v: { value: string }) =>
    `metadataBase can't be ${JSON.stringify(v.value)}: it is not an absolute URL. Write it with its scheme, such as https://example.com.`,
  METADATA_MEDIA: (v: { field: string; value: string }) =>
    `${v.field} holds ${v.value}: it has no url. Give each of them one, as { url: '/og.png' }, or leave the field out.`,
  CLIENT_LEFT: (_: object) => 'The client closed its connection before it had sent the whole body.',
  SEARCH_PARAMS: (v: { search: string; reason: string }) =>
    `The query ${JSON.stringify(v.search)} is not what useSearchParams(schema) takes: ${v.reason}. Give the schema defaults, or catch the error.`,
} as const

export type ErrorCode = keyof typeof errorTable

type ErrorValues<C extends ErrorCode> = Parameters<(typeof errorTable)[C]>[0]

/** A mistake of the app's author that the framework found. */
export class FrameworkError extends Error {
  override readonly name = 'FrameworkError'
  /** A code of the error table, or of a driver's package. */
  readonly code: string
  readonly files: readonly string[]

  /** The refused text, which a client may have sent. */
  readonly text: string | undefined

  constructor(code: string, message: string, files: readonly string[] = [], text?: string) {
    super(`${message} (${code})`)
    this.code = code
    this.files = files
    this.text = text
  }
}

/** @param text the refused text, when a client may have sent it */
export function frameworkError<C extends ErrorCode>(
  code: C,
  values: ErrorValues<C>,
  text?: string,
): FrameworkError {
  // A built client prints code and values only, without the table. Outside of Vite there is no
  // `env`.
  if (import.meta.env?.PROD && !import.meta.env.SSR) {
    return new FrameworkError(code, JSON.stringify(values), [], text)
  }
  const write = errorTable[code] as (values: ErrorValues<C>) => string
  const { files } = values as { readonly files?: readonly string[] }
  return new FrameworkError(code, write(values), files, text)
}

/** @throws `OPTION_VALUE`, with the option as it stands below `waymark()` */
export function checkOption(isValid: boolean, option: string, value: unknown, rule: string): void {
  if (!isValid) throw frameworkError('OPTION_VALUE', { option, value: String(value), rule })
}
