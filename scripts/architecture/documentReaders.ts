/**
 * Calls in a file, exactly as written. For each call, the list contains the forgeries with which
 * e2e/injected.test.ts attacks it.
 */
type Calls = Readonly<Record<string, readonly string[]>>

/**
 * Calls with which the client reads elements from a document, grouped by the reason why content
 * can't forge the element, and then by file, relative to the core's root. Content is HTML that
 * somebody else wrote and that nobody has sanitized.
 */
export const documentReaders: Readonly<Record<string, Readonly<Record<string, Calls>>>> = {
  'the first of the document: nothing of the app comes before it': {
    'client/document/documentStream.ts': {
      'querySelector<HTMLElement>(`script[src]${panel}`)': [
        'payload-with-nonce',
        'order-with-nonce',
      ],
    },
    'script/scriptLoader.ts': {
      "querySelector<HTMLElement>('script[src]')": ['payload-with-nonce', 'order-with-nonce'],
    },
  },
  'the nonce, or in a document of hashes its key': {
    'client/document/documentStream.ts': {
      'querySelectorAll<HTMLElement>(\'script[type="text/x-component"]\')': [
        'payload',
        'payload-with-nonce',
        'last-payload',
        'last-payload-with-nonce',
      ],
    },
    'script/scriptLoader.ts': {
      'querySelectorAll<HTMLMetaElement>(ordered)': [
        'order',
        'order-of-file',
        'order-with-nonce',
        'order-in-head',
        'order-that-takes-a-nonce',
      ],
    },
  },
  'a place in the head, where a parser puts no content': {
    'client/assets/retryImport.ts': {
      'querySelectorAll<HTMLLinkElement>(checkedPreloads)': ['preload'],
    },
    'client/prefetch/prefetchChunk.ts': {
      'querySelector(`link[href="${href}"]`)': ['stylesheet'],
    },
    'client/document/watchHeadTags.ts': {
      "querySelectorAll('title')": ['head-tags'],
      "querySelector(':scope > title')": ['head-tags'],
      'querySelector(`:scope > title:not([${metadataMark}])`)': ['head-tags'],
      "querySelectorAll(':scope > meta, :scope > link')": ['head-tags'],
    },
    'wire/documentMarks.ts': {
      'querySelector(`head>script[id=${localeBlockId}]`)': ['texts'],
    },
    'theme/store.ts': {
      'querySelector<HTMLScriptElement>( `head>script[${serializedThemeAttribute}]`, )': ['theme'],
    },
  },
  'what an authentic payload or order says about it: the client compares both': {
    'script/scriptLoader.ts': {
      "querySelectorAll('template[data-waymark-script]')": ['template'],
    },
  },
  'nothing: the browser does the same with it, or a person could have done it': {
    'react/client/restoreText.ts': {
      "querySelectorAll('font:not([color],[face]) > font')": [],
    },
    'client/actions/callForm.ts': { 'closest<HTMLButtonElement>(resetButton)': ['fields'] },
    'client/actions/calls.ts': { 'closest(controls)': [] },
    'client/actions/restoreInput.ts': { "querySelectorAll('details')": ['fields'] },
    'client/createRouter.ts': {
      "closest('form')": ['fields'],
      "querySelector('details')": ['fields'],
    },
    'client/assets/devStyles.ts': {
      "querySelectorAll<HTMLLinkElement>('link[rel=stylesheet][href]')": ['stylesheet'],
      "querySelectorAll<HTMLElement>('style[data-vite-dev-id]')": ['stylesheet'],
    },
    'client/assets/stylesheets.ts': {
      "querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')": ['stylesheet'],
    },
    'client/browserEntry.ts': {
      "querySelector('[data-scroll-restore]')": ['marks'],
      "closest('form')": ['marks'],
    },
    'client/startReact.tsx': {
      "querySelector('font > font')": [],
      "innerHTML.includes('<!--&')": ['comments'],
      "querySelector(':scope > :not(script, style, link, template, noscript)')": ['ended-document'],
    },
    'client/document/documentStream.ts': {
      'querySelector(`script[src="${source}"]`)': [],
      "getElementsByTagName('*')": [],
      "querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')": ['stylesheet'],
    },
    'client/navigation/formDraft.ts': {
      "querySelectorAll<Field>('input, textarea, select')": [],
      'closest(`[${volatileAttribute}]`)': ['marks'],
    },
    'client/navigation/formFields.ts': {
      "querySelectorAll<Field>('input, textarea, select')": [],
    },
    'client/navigation/links.ts': { "querySelector<HTMLBaseElement>('base[target]')": [] },
    'client/navigation/noticeStack.ts': {
      "querySelectorAll('button')": [],
      'querySelectorAll(modal)': [],
      'closest(modal)': [],
    },
    'client/navigation/routeAnnouncer.ts': {
      "querySelector<HTMLElement>('h1,h2')": [],
      'querySelectorAll<HTMLElement>(selector)': [],
    },
    'client/navigation/scroll.ts': {
      'querySelectorAll<HTMLElement>(markedSelector)': ['marks'],
      'querySelectorAll(`[id="${CSS.escape(id)}"]`)': [],
    },
    'client/prefetch/prefetchChunk.ts': { "querySelectorAll('a')": [] },
    'theme/applyTheme.ts': {
      "querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')": ['marks'],
    },
    'theme/store.ts': {
      'querySelector(`[${toggleAttribute}]`)': ['marks'],
      'closest(`[${toggleAttribute}]`)': ['marks'],
    },
    'theme/themeScript.ts': { 'querySelectorAll("meta[name=theme-color]")': ['marks'] },
  },
}
