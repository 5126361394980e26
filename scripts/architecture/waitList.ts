/**
 * Code that runs while a request waits for it, as paths of folders and files relative to the core's
 * root.
 */
export const requestCode = {
  includes: [
    'rsc/',
    'react/rsc/',
    'ssr/',
    'shared/',
    'wire/',
    'http/',
    'cache/',
    'node/listener.ts',
    'node/request.ts',
    'node/writeResponse.ts',
    'node/static/sendFile.ts',
  ],
  /**
   * Code for which no request waits, or for which a request waits only within a deadline that the
   * caller sets. Each entry has its reason.
   */
  excludes: [
    ['cache/files/', 'storeDeadlines.ts puts a deadline around each call of a driver'],
    ['rsc/prerender/', 'runs in the build, and within the deadline of regeneratePage'],
    ['rsc/partial/renderShell.ts', 'as above, and beside the requests of the dev server'],
  ],
} as const

/**
 * The awaited expressions, grouped by the event that ends the wait, and then by file. Paths are
 * relative to the core's root. Expressions are written exactly as in the code.
 */
export type WaitEnds = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>

/**
 * Waits within a request, by the event that ends them. Calls to our own async functions are not
 * listed, because the waits inside those functions are.
 */
export const waitEnds: WaitEnds = {
  'the deadline of each driver call in storeDeadlines.ts, which also attaches its entry': {
    'cache/assetStore.ts': [
      'driver.set(key, { value, tags: [], ...times, position: driver.position()…',
      'driver.get(indexKey)',
      'driver.get(keyOf(hash))',
      'lease.release()',
    ],
    'cache/cacheDriver.ts': ['driver.lease(key, ttlMs)'],
    'cache/cache.ts': ['shared.lookUp(name)', 'shared.delete(name)', 'driver.set(name, entry)'],
    'cache/invalidation.ts': ['notifyOthers(tags, mode)'],
    'cache/sharedStore.ts': [
      'Promise.all(invalidating)',
      'from.get(name)',
      'driver?.set(name, { ...entry, position: driverPosition })',
      'driver?.delete(name)',
      'running.finally(() => invalidating.delete(running))',
    ],
    'cache/storeDeadlines.ts': [
      'call(() => driver.get(key), null)',
      'Promise.all(writes)',
      'call(() => driver.close(), undefined)',
    ],
    'cache/singleFlight.ts': [
      'driver.lease(lockName, maxWaitMs, lockLeaseMs)',
      'shared.lookUp(name)',
    ],
    'rsc/action/idempotency.ts': [
      'lease?.release()',
      'lease.release()',
      'lease?.complete(encodeSharedEntry(entry))',
      'lease?.mark?.release()',
    ],
    'rsc/cache/readCached.ts': ['cache.delete(key)'],
    'rsc/pageCache/revalidate.ts': ['cache?.invalidate(tags, mode)'],
    'rsc/pageCache/pageCache.ts': ['built.offer(key, url)', 'cache.delete(key)'],
  },
  'memory, where nothing waits': {
    'cache/memoryCacheDriver.ts': ['release()'],
  },
  'the start of a server: no request waits until its assets are stored': {
    'cache/assetStore.ts': ['file.read()', 'run()'],
    'rsc/serverOptions.ts': ['open()'],
  },
  'the server: no request waits for the end of a driver': {
    'cache/sharedStore.ts': ['driver?.close()'],
  },
  "the app's own code, which may take its time: when the client leaves, its slot is freed and its signal aborts":
    {
      'cache/singleFlight.ts': ['start(name, compute).outcome', 'compute()'],
      'node/listener.ts': ['response'],
      'rsc/serverOptions.ts': [
        'respond(web.body === null ? request : followingRequest(request, web, nul…',
        'handling',
        'respond(request)',
      ],
      'rsc/cache/cached.ts': ['run(...args)'],
      'rsc/cache/flightCodec.ts': [
        'encodeReply([...args], { temporaryReferences: clientReferences })',
        'new Promise<void>((resolve, reject) => { channel.listen({ piece() {}, en…',
      ],
      'rsc/cache/readCached.ts': ['computing'],
      'rsc/metadata/pageImages.ts': [
        '(generate as GenerateParams)({ params })',
        'generateImageMetadata?.({ params: Promise.resolve(params) })',
        'module.default({ params: Promise.resolve(params), id: Promise.resolve(id…',
        'response.arrayBuffer()',
      ],
      'rsc/metadata/metadataRoute.ts': [
        '(make as (context: FileContext) => unknown)(fileContext)',
        'list()',
      ],
      'rsc/proxy/proxy.ts': ['run(web, context)'],
      'rsc/request/dynamicValue.ts': ["schema['~standard'].validate(params)"],
      'rsc/request/routeHandler.ts': [
        'runInScope(scope, () => run(web, context))',
        '(response as { readonly ready?: unknown }).ready',
      ],
      'ssr/wholeDocument.tsx': [
        'new Promise<string>((resolve, reject) => { const rendering = renderToPip…',
      ],
      'ssr/streamedDocument.tsx': [
        'new Promise<PipeableStream>((resolve, reject) => { const rendering = ren…',
      ],
    },
  'the deadline of the action or of its guards: `withDeadline` is around all of it': {
    'rsc/action/action.ts': [
      "schema['~standard'].validate(plain)",
      'accept(name, rule, sent.getAll(name))',
      'accept(name, rule, [values[name]].flat())',
    ],
    'rsc/action/fileTypes.ts': ['file.slice(0, startBytes).arrayBuffer()'],
    'rsc/action/boundArgs.ts': ['Promise.resolve(sealed).catch(() => null)'],
  },
  'its own waits: an async function of ours, called through a value or an object': {
    'cache/cache.ts': ['computations.read(name, compute, isEnded)'],
    'rsc/action/authorize.ts': ['resolveAction(id, page, app)'],
    'rsc/action/handleAction.ts': [
      'app.users.refusalOf(headers.get(userHeader), isQueued)',
      'app.users?.refusalOf(user, false)',
      'deciding',
      'resolving',
      'resolveAction(named.id, page, app)',
      'respond(await run())',
      'runOnce(read.key, read, page, app, async (onRan) => { const outcome = aw…',
      'onRan()',
      'run()',
      'run(onRan)',
    ],
    'rsc/action/updateUserCookie.ts': [
      'runWithRequest(new Request(url, { headers }), users.currentId)',
    ],
    'rsc/request/user.ts': ['dynamicValue(scope, api, () => undefined)', 'users.seal()'],
    'rsc/action/idempotency.ts': [
      '(entry ? repeat(sent, entry, context) : runFirst(sent, run, context))',
      'run(onRan)',
    ],
    'rsc/cache/readCached.ts': [
      'cache.read(key, computeIt, readOptions)',
      'codec.encodeArguments(trimmed.map(withoutRequestValues))',
    ],
    'rsc/partial/respondFromShell.ts': [
      'app.pageCache.partial(url)',
      'withinDocumentLimit(exchange, app, () => respondWithPartial(partial, app…',
    ],
    'rsc/page/documentLimit.ts': ['render()'],
    'rsc/proxy/admitOtherPages.ts': [
      'Promise.all([ claimed.from === null ? null : admit(claimed.from), Promis…',
      'runInScope(pageScope, () => proxy.decide({ request, ...url }))',
    ],
    'rsc/endpoints.ts': ['endpoint.handle(request)'],
    'rsc/handler.ts': [
      '(app.around ? respondAround({ around: app.around, address, request: rece…',
      'caching',
      'matching',
      'refusal',
      'responding',
    ],
    'rsc/request/receiveBeacons.ts': ['receive(body.text, request)'],
    'rsc/page/documentResponse.ts': [
      "observed(page.scope.context.observer, { kind: 'html' }, render)",
    ],
    'rsc/proxy/proxy.ts': ["observed(scope.context.observer, { kind: 'proxy' }, decide)"],
  },
  'the deadline of decoding: `decodeWithinMs` is around all of it': {
    'rsc/action/decodeArguments.ts': [
      'decodeValues(body)',
      'value',
      'value as AsyncIterable<unknown>',
    ],
    'rsc/action/handleAction.ts': ['decoding'],
  },
  'bytes that have already arrived': {
    'rsc/action/boundArgs.ts': ['serialize(values)'],
    'rsc/action/decodeArguments.ts': ['bound'],
    'rsc/action/handleAction.ts': ['reading'],
    'rsc/action/responses.ts': ['microtask'],
    'rsc/cache/argumentKey.ts': ['value.arrayBuffer()'],
    'rsc/cache/readCached.ts': ['keyed.restore()'],
    'rsc/handler.ts': ['callResponse'],
    'rsc/pageCache/regenerate.ts': [
      'Promise.all([ promisify(brotliCompress)(body, { params: { [constants.BRO…',
    ],
    'rsc/partial/respondFromShell.ts': ['staticPayload(shell)'],
    'wire/userCookie.ts': ["crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))"],
    'ssr/partialDocument.tsx': ["prelude.setEncoding('utf8')"],
  },
  'the deadline of the body, `withinMs` of readBody': {
    'rsc/action/handleAction.ts': [
      'readBody(page.request, { maxBytes, withinMs: bodyWithinMs, filter })',
    ],
    'rsc/request/readBody.ts': [
      'readBody({ headers, toRequest: () => request }, wholeLimits)',
      'new Response(body.bytes, { headers })[method]()',
      'readBody(request, limits)',
    ],
  },
  "the client leaves, or the server's `requestTimeoutMs` ends": {
    'node/request.ts': ['pieces', 'new Promise((resolve) => setImmediate(resolve))'],
    'rsc/request/readBody.ts': ['reader.read()'],
  },
  'the client leaves: the body is closed, and its source is abandoned': {
    'node/listener.ts': ['sending'],
    'node/static/sendFile.ts': [
      'pumpBody(res, stream[Symbol.asyncIterator]()).finally(() => stream.destr…',
    ],
    'rsc/partial/respondFromShell.ts': ['rest', 'rendering'],
    'react/rsc/decodedNodes.ts': ['thrown', 'value'],
    'rsc/partial/holes.ts': ['Promise.all(value.map(settled))'],
    'http/stream.ts': [
      'new Promise<void>((resolve) => { wake = resolve })',
      'iterator.next()',
      'onLeave({ next, close: async () => iterator.return?.() })',
    ],
    'http/web.ts': ['open().next()', 'open().return?.()'],
  },
  '`unreadMs`, the deadline of a body without a reader: then the body is closed': {
    'rsc/action/storeResponse.ts': ['step()'],
  },
  'the deadline of `around`, `deadlineMs`': {
    'rsc/serverOptions.ts': ['Promise.race([around.run(web, handle), time.over])'],
  },
  "the deadline of the status, which closes the run; without such a deadline, or if a layout must pass on a failure, the client's leaving":
    {
      'rsc/page/pageStatus.ts': [
        'new Promise<void>((resolve) => wakeUps.push(resolve))',
        'whenRendered()',
      ],
      'rsc/page/renderPage.ts': ['whenRendered()', 'pageStatus.settled(whenRendered)'],
    },
  'the gate of the status follows it, and a fallback gives it `fallbackHeadMs`': {
    'rsc/metadata/pageImages.ts': [
      'list(resolvedParams)',
      'namesOf({ ...params, ...set })',
      'Promise.all(named)',
    ],
    'rsc/metadata/resolve.ts': [
      'above',
      'resolvedMetadata',
      'resolvedImages',
      'viewAbove',
      'resolvedViewport',
      'merging',
      'viewing',
      'generateMetadata(props, parent)',
      'generateViewport(props, parent)',
    ],
  },
  'nothing: the params of a match already exist': {
    'rsc/metadata/pageImages.ts': ['params', 'context.params'],
    'rsc/metadata/metadataRoute.ts': ['context.params'],
  },
  'nothing: metadata without a function already exists': {
    'rsc/page/head.ts': ['app.resolveMetadata([screenFile(title)], request)'],
  },
  'the deadline of a page for the cache, in regeneratePage': {
    'rsc/pageCache/pageCache.ts': ['cache.read(key, compute, url)'],
  },
  'the deadline of loading code, in loadCode': {
    'rsc/respondByRouteHandler.ts': ['app.modules.load(match.file)'],
    'rsc/metadata/metadataRoute.ts': ['load()', 'page?.()'],
    'rsc/page/fallbacks.ts': ['app.modules.load(path)'],
    'rsc/page/head.ts': ['Promise.all(paths.map((path) => app.modules.load(path)))'],
    'rsc/page/prefetchShell.ts': ['loadRouteFiles(shell, app)'],
    'rsc/page/renderPage.ts': ['loading'],
    'rsc/partial/respondFromShell.ts': ['loadRouteFiles(page, app)'],
  },
  'the dev server, where alone they exist': {
    'rsc/page/routeModules.ts': ['devStyles[file]?.()'],
  },
  'code of React, which has no wait at its top level': {},
  '`longestLoadMs`, the deadline of loading client files': {
    'ssr/clientFiles.ts': ['load()'],
    'ssr/decodeFlight.tsx': ['loadClientFiles(code.clientFiles)'],
    'ssr/wholeDocument.tsx': ['loading'],
  },
  'the end of a text that is in memory': {
    'ssr/decodeFlight.tsx': ['createFromNodeStream<FormState>(textStream(decodable))'],
  },
  'the `shellMs` of a shell': {
    'ssr/partialDocument.tsx': [
      'prerenderToNodeStream( <DecodedRoot source={source} insert={writer.inser…',
    ],
  },
  "nothing: only React's types declare a promise here": {
    'ssr/partialDocument.tsx': [
      'resumeToPipeableStream(root, postponed, { onError: neverThrows(ignoreAba…',
    ],
  },
  'the disk that the server itself runs from': {
    'node/static/sendFile.ts': [
      'handle.stat()',
      'handle.readFile()',
      'handle.close()',
      'open(path, openFlags)',
    ],
  },
  'the build and the dev server, which run `generateStaticParams`': {
    'rsc/request/after.ts': ['code()', 'task()'],
  },
  'the response is sent, and no client waits': {
    'rsc/request/after.ts': [
      'Promise.all(scope.context.after.tasks.splice(0).map((task) => runTask(sc…',
      'runInScope(scope, task)',
    ],
  },
}
