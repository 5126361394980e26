import path from 'node:path'
import type { ExplanationRule } from 'waymark/plugin/dev'
import { findAsyncComponent } from './findAsyncComponent.ts'
import { mismatch } from './mismatch.ts'
import { findText, relativeFile } from './sources.ts'

const hooks =
  'use(?:State|Effect|LayoutEffect|InsertionEffect|Reducer|Ref|Context|Transition|DeferredValue|Optimistic|ActionState|ImperativeHandle|SyncExternalStore|EffectEvent)|createContext'

/** Rules that explain React errors whose cause is in the app's code. */
export const explanations: readonly ExplanationRule[] = [
  [
    new RegExp(`^(?:\\(0 , )?(?:[\\w$]+\\.)*(${hooks})\\)? is not a function`),
    ([, name], { root, place, isBrowser }) =>
      isBrowser
        ? null
        : `${name} only works in client components, but ${place ? relativeFile(root, place.file) : 'a package'} runs on the server. Add 'use client' at the top of the file, or move the code that needs ${name} to a file with 'use client'.`,
  ],
  [
    /^Unexpectedly client reference export '(.+?)' is called on server/,
    ([, name = '']) =>
      /^use[A-Z]/.test(name)
        ? `${name} only works in client components, but was called on the server. Call it in a file that starts with 'use client'.`
        : `${name} comes from a 'use client' file, but was called on the server. There, it can only be rendered as <${name} />. Call it in a client component.`,
  ],
  [
    /^Event handlers cannot be passed to Client Component props\.\s*([\s\S]*?)\s*If you need/,
    ([, excerpt]) =>
      `A server component can't have event handlers, because its code doesn't run in the browser.\n\n  ${excerpt}\n\nMove the element to a file that starts with 'use client'.`,
  ],
  [
    /^(?:Only plain objects, and a few built-ins|Functions cannot be passed directly to Client)[^\n]*\s*([\s\S]*)/,
    ([message = '', excerpt]) =>
      `${message.startsWith('F') ? 'A function' : 'An instance of a class'} can't be a prop of a client component, because the server sends props as data.\n\n  ${excerpt}\n\n${
        message.startsWith('F')
          ? "Define it in the client component, or make it a server action with 'use server'."
          : "Pass a plain object, or the instance's values one by one."
      }`,
  ],
  [
    /^(?:An unknown Component|<?(\w+)>?) is an async Client Component/,
    ([, name], { root, place }) => {
      const component = findAsyncComponent(root, name ?? '[A-Z]\\w*')
      const which = component
        ? `The client component ${component.name} in ${relativeFile(root, component.file)}`
        : 'A client component'
      return {
        message: `${which} is async, but only server components can be async. Load the data in a server component and pass it as a prop, or remove 'use client' from the file.`,
        place: component ?? place,
      }
    },
  ],
  [
    /^(?:Hydration failed|A tree hydrated but)[\s\S]*\n[+-]\s{2,}[\s\S]*/,
    ([message = '']) => mismatch(message),
  ],
  [
    /^'server-only' cannot be imported in client build .*\s+imported by (\S+)/,
    ([, named = ''], { root }) => {
      const file = path.resolve(root, named)
      return {
        message: `${relativeFile(root, file)} imports server-only, but is part of the client code. Read the data in a server component and pass it as a prop, or read it in a server action.`,
        place: findText(file, 'server-only'),
      }
    },
  ],
  [
    // Error message from @vitejs/plugin-rsc.
    /^unsupported non async function/,
    () =>
      "A file with 'use server' can only export async functions. Write export async function …, and move other values to a different file.",
  ],
  [
    /^process is not defined/,
    () =>
      'process is not defined, because browsers have no process.env. In a client component, read import.meta.env.PUBLIC_…, or pass the value from a server component as a prop.',
  ],
  [
    /^(window|document|localStorage|sessionStorage|navigator|location|matchMedia) is not defined/,
    ([, name], { root, place, isBrowser }) =>
      isBrowser
        ? null
        : `${name} only exists in browsers, but ${place ? relativeFile(root, place.file) : 'a package'} also runs on the server, which renders the HTML of client components. Use it in an effect or an event handler.`,
  ],
  [
    /^(cookies|headers|draftMode)\(\.\.\.\)\.(\w+) is not a function/,
    ([, name, member]) =>
      `${name}() returns a promise. Write (await ${name}()).${member}() instead.`,
  ],
  [
    /^Objects are not valid as a React child \(found: (?:\[object (Promise)\]|object with keys (\{.*?\})|(.+?))\)/,
    ([, promise, keys, other]) =>
      promise
        ? "A promise can't be shown here. Await it in a server component, or read it with use()."
        : `An object ${keys ? `with the keys ${keys}` : `(${other})`} can't be shown. Only text, numbers and elements can be shown. Render one of its properties, such as {user.name}.`,
  ],
]
