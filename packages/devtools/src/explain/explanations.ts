import path from 'node:path'
import type { ExplanationRule } from 'waymark/plugin/dev'
import { findAsyncComponent } from './findAsyncComponent.ts'
import { mismatch } from './mismatch.ts'
import { findText, relativeFile } from './sources.ts'

const hooks =
  'use(?:State|Effect|LayoutEffect|InsertionEffect|Reducer|Ref|Context|Transition|DeferredValue|Optimistic|ActionState|ImperativeHandle|SyncExternalStore|EffectEvent)|createContext'

/** What React throws, and what the app's own mistakes make of it. */
export const explanations: readonly ExplanationRule[] = [
  [
    new RegExp(`^(?:\\(0 , )?(?:[\\w$]+\\.)*(${hooks})\\)? is not a function`),
    ([, name], { root, place, isBrowser }) =>
      isBrowser
        ? null
        : `${name} is for client components, and ${place ? relativeFile(root, place.file) : 'a package'} runs on the server. Begin the file with 'use client', or move what needs it into a file of its own that does.`,
  ],
  [
    /^Unexpectedly client reference export '(.+?)' is called on server/,
    ([, name = '']) =>
      /^use[A-Z]/.test(name)
        ? `${name} is for client components, and was called on the server. Call it in a file that begins with 'use client'.`
        : `${name} comes from a 'use client' file, and was called on the server, where it can only be rendered: <${name} />. Call it in a client component.`,
  ],
  [
    /^Event handlers cannot be passed to Client Component props\.\s*([\s\S]*?)\s*If you need/,
    ([, excerpt]) =>
      `A server component can't have event handlers: its code does not run in the browser.\n\n  ${excerpt}\n\nMove the element into a file that begins with 'use client'.`,
  ],
  [
    /^(?:Only plain objects, and a few built-ins|Functions cannot be passed directly to Client)[^\n]*\s*([\s\S]*)/,
    ([message = '', excerpt]) =>
      `${message.startsWith('F') ? 'A function' : 'An instance of a class'} can't be a prop of a client component: what a server component passes on is sent as data.\n\n  ${excerpt}\n\n${
        message.startsWith('F')
          ? "Write it in the client component, or make it a server action: 'use server'."
          : 'Pass a plain object, or what it is made of.'
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
        message: `${which} is async, which only server components can be. Load the data in a server component and pass it on as a prop; or remove 'use client' from the file.`,
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
        message: `${relativeFile(root, file)} imports server-only, and is part of the code of client components. Read what is needed in a server component and pass it on as a prop, or in a server action.`,
        place: findText(file, 'server-only'),
      }
    },
  ],
  [
    // As @vitejs/plugin-rsc has it.
    /^unsupported non async function/,
    () =>
      "A file with 'use server' exports async functions only. Write export async function …, and move other values into a file of their own.",
  ],
  [
    /^process is not defined/,
    () =>
      'process is not defined: browsers have no process.env. In a client component read import.meta.env.PUBLIC_…, or have a server component pass the value on.',
  ],
  [
    /^(window|document|localStorage|sessionStorage|navigator|location|matchMedia) is not defined/,
    ([, name], { root, place, isBrowser }) =>
      isBrowser
        ? null
        : `${name} is for browsers, and ${place ? relativeFile(root, place.file) : 'a package'} runs on the server, too: the HTML of client components is rendered there. Read it in an effect or in an event handler.`,
  ],
  [
    /^(cookies|headers|draftMode)\(\.\.\.\)\.(\w+) is not a function/,
    ([, name, member]) => `${name}() returns a promise: write (await ${name}()).${member}().`,
  ],
  [
    /^Objects are not valid as a React child \(found: (?:\[object (Promise)\]|object with keys (\{.*?\})|(.+?))\)/,
    ([, promise, keys, other]) =>
      promise
        ? "A promise can't be shown here. Await it in a server component, or read it with use()."
        : `An object ${keys ? `with the keys ${keys}` : `(${other})`} can't be shown: only text, numbers and elements can. Write one of its members, such as {user.name}.`,
  ],
]
