/** A mistake that the author of an app makes while a page is open. */
type AuthorError = {
  readonly name: string
  /** The file in which the mistake is made, and which the overlay shows. */
  readonly file: string
  readonly wrong: (text: string) => string
  /** The message that the overlay and the terminal must show. */
  readonly message: RegExp
  /** The place in the code that the overlay must show. */
  readonly place?: RegExp
  /** A line that the code frame must contain. */
  readonly frame?: RegExp
  /** The path of a page to open, for a mistake that only a new document shows. */
  readonly open?: string
}

type Changes = readonly (readonly [from: string, to: string])[]

const inPage = (...changes: Changes) => ({ file: 'app/page.tsx', wrong: replaced(changes) })
const inCounter = (...changes: Changes) => ({ file: 'app/counter.tsx', wrong: replaced(changes) })
const atTop = (line: string) => ['import { greeting }', `${line}\nimport { greeting }`] as const
const inBody = (line: string) => ['  return', `  ${line}\n  return`] as const

function replaced(changes: Changes) {
  return (text: string) =>
    changes.reduce((changed, [from, to]) => {
      if (!changed.includes(from)) throw new Error(`The fixture does not contain ${from}.`)
      return changed.replace(from, to)
    }, text)
}

/** Mistakes, each in a file of the fixture `authorErrors`. */
export const authorErrors: readonly AuthorError[] = [
  {
    name: 'a syntax error in a server file',
    ...inPage(['<h1>', '<h1']),
    message: /Expected `\.\.\.` but found `Identifier`[\s\S]*7 │ +<h1\{greeting\}/,
    place: /page\.tsx:7:11/,
  },
  {
    name: 'a syntax error in a client file',
    ...inCounter(['useState(Number(start))', 'useState(Number(start)']),
    message: /Expected `,` or `\)` but found `return`/,
    place: /counter\.tsx:7:3/,
  },
  {
    name: 'a syntax error in CSS',
    file: 'app/global.css',
    wrong: replaced([['color:', 'color']]),
    message: /Unexpected token Ident\("rgb"\) in the styles|Unexpected token .* in the styles/,
    place: /global\.css:3:\d+/,
    frame: /3 \| {3}color rgb/,
  },
  {
    name: 'a package that is not installed, in a server file',
    ...inPage(atTop("import 'no-such-package'")),
    message: /app\/page\.tsx imports no-such-package, which is not installed\. Run npm install/,
    place: /page\.tsx:2:8/,
    frame: /2 \| import 'no-such-package'/,
  },
  {
    name: 'a package that is not installed, in a client file',
    ...inCounter(['import { useState }', "import 'no-such-package'\nimport { useState }"]),
    message: /app\/counter\.tsx imports no-such-package, which is not installed\. Run npm install/,
    place: /counter\.tsx:3:8/,
    frame: /3 \| import 'no-such-package'/,
  },
  {
    name: 'an import of a file that does not exist',
    ...inPage(["'./greeting.ts'", "'./greting.ts'"]),
    message: /app\/page\.tsx imports \.\/greting\.ts, which does not exist/,
    place: /page\.tsx:2:26/,
  },
  {
    name: 'an import of a name that the file does not export',
    ...inPage(['import { greeting }', 'import { welcome as greeting }']),
    message:
      /imports welcome from app\/greeting\.ts, which does not export it\. app\/greeting\.ts exports greeting/,
    place: /page\.tsx:2:10/,
  },
  {
    name: 'an import of a name that the client file does not export',
    ...inPage(['import { Counter }', 'import { Countr as Counter }']),
    message:
      /imports Countr from app\/counter\.tsx, which does not export it\. app\/counter\.tsx exports Counter/,
    place: /page\.tsx:1:10/,
  },
  {
    name: 'an empty page',
    file: 'app/page.tsx',
    wrong: () => '',
    message: /app\/page\.tsx has no component as its default export/,
  },
  {
    name: 'a page without a default export',
    ...inPage(['export default async', 'export async']),
    message: /app\/page\.tsx has no component as its default export/,
    place: /page\.tsx:1:1/,
  },
  {
    name: 'a hook in a server component',
    ...inPage(atTop("import { useState } from 'react'"), inBody('const [open] = useState(false)')),
    message: /useState only works in client components, but app\/page\.tsx runs on the server/,
    place: /page\.tsx:6:18/,
  },
  {
    name: 'a Waymark hook in a server component',
    ...inPage(atTop("import { usePathname } from 'waymark/client'"), inBody('usePathname()')),
    message: /usePathname only works in client components, but was called on the server/,
    place: /page\.tsx:6:3/,
  },
  {
    name: 'an event handler in a server component',
    ...inPage(['<h1>', '<h1 onClick={() => {}}>']),
    message: /A server component can't have event handlers/,
    place: /page\.tsx:7:7/,
    frame: /7 \| +<h1 onClick/,
  },
  {
    name: 'an async client component',
    ...inCounter(['export function', 'export async function']),
    message:
      /The client component Counter in app\/counter\.tsx is async, but only server components can be async/,
    place: /counter\.tsx:5:8/,
  },
  {
    name: 'a class instance as a prop',
    ...inPage(['start={0}', 'start={new (class Money { amount = 1 })() as never}']),
    message: /An instance of a class can't be a prop of a client component/,
    place: /page\.tsx:8:7/,
  },
  {
    name: 'setting a cookie in a page',
    ...inPage(
      atTop("import { cookies } from 'waymark/server'"),
      inBody(";(await cookies()).set('a', 'b')"),
    ),
    message: /The cookie a can't be set while a page renders/,
    place: /page\.tsx:6:22/,
  },
  {
    name: 'a missing environment variable',
    ...inPage(inBody('new URL(process.env.API_URL as string)')),
    message: /Invalid URL/,
    place: /page\.tsx:5:\d+/,
    frame: /5 \| +new URL\(process\.env\.API_URL/,
  },
  {
    name: 'process.env in a client component',
    ...inCounter(inBody('new URL(process.env.API_URL as string)')),
    message: /process is not defined, because browsers have no process\.env/,
    place: /counter\.tsx:7:11/,
  },
  {
    name: 'a hydration mismatch',
    ...inCounter(['Count {count}', "{typeof window === 'undefined' ? 'server' : 'browser'}"]),
    message: /different from the server[\s\S]*\n\+ +browser\n- +server/,
    place: /counter\.tsx:\d+:\d+/,
    open: '/',
  },
  {
    name: 'generateStaticParams without the param of the folder',
    file: 'app/trails/[slug]/page.tsx',
    wrong: () =>
      "export const generateStaticParams = () => [{ slg: 'a' }]\nexport default () => <h1>Trail</h1>\n",
    message: /app\/trails\/\[slug\]\/page\.tsx returned \{"slg":"a"\}.*slug/,
    place: /page\.tsx:1:1/,
    open: '/trails/a',
  },
  {
    name: 'an import of Link from another entry',
    ...inPage(atTop("import { Link } from 'waymark/client'"), [
      '<h1>',
      '<Link href="/">Home</Link><h1>',
    ]),
    message:
      /app\/page\.tsx imports Link from waymark\/client, which does not export it\. Import it from waymark/,
    place: /page\.tsx:2:10/,
  },
  {
    name: "an error screen without 'use client'",
    file: 'app/error.tsx',
    wrong: () => 'export default function Failed() {\n  return <p>Failed</p>\n}\n',
    message: /app\/error\.tsx must run in browsers, .*Begin it with 'use client'/,
    place: /error\.tsx:1:1/,
  },
  {
    name: 'a route handler as the default export',
    file: 'app/api/route.ts',
    wrong: () => "export default function handler() {\n  return new Response('no')\n}\n",
    message: /app\/api\/route\.ts has a default export, but no function for GET/,
    place: /route\.ts:1:1/,
    open: '/api',
  },
  {
    name: 'an object as a child',
    ...inPage(['{greeting}', "{{ name: 'Anna' } as never}"]),
    message: /An object with the keys \{name\} can't be shown/,
  },
  {
    name: 'cookies() without await',
    ...inPage(
      atTop("import { cookies } from 'waymark/server'"),
      inBody("(cookies() as any).get('a')"),
    ),
    message: /cookies\(\) returns a promise\. Write \(await cookies\(\)\)\.get/,
    place: /page\.tsx:6:\d+/,
  },
  {
    name: 'params without await',
    file: 'app/tours/[tour]/page.tsx',
    wrong: () => 'export default ({ params }) => <h1>{params.tour}</h1>\n',
    message:
      /tour was read from params, which is a promise\. Await it first: \(await params\)\.tour/,
    place: /page\.tsx:1:\d+/,
    open: '/tours/a',
  },
  {
    name: 'window at the top of a client file',
    ...inCounter(['export function', 'const { innerWidth } = window\nexport function']),
    message: /window only exists in browsers, but app\/counter\.tsx also runs on the server/,
    place: /counter\.tsx:5:\d+/,
    open: '/',
  },
  {
    name: 'a Node module in a client file',
    ...inCounter(
      ['import { useState }', "import { readFileSync } from 'node:fs'\nimport { useState }"],
      inBody("readFileSync('package.json')"),
    ),
    message: /app\/counter\.tsx is part of the client code, but imports node:fs/,
    place: /counter\.tsx:3:\d+/,
  },
  {
    name: 'waymark/server in a client file',
    ...inCounter(
      ['import { useState }', "import { cookies } from 'waymark/server'\nimport { useState }"],
      inBody('cookies()'),
    ),
    message: /app\/counter\.tsx imports waymark\/server, which only works on the server/,
    place: /counter\.tsx:/,
  },
  {
    name: 'server-only in a client file',
    ...inCounter(['import { useState }', "import 'server-only'\nimport { useState }"]),
    message: /app\/counter\.tsx imports server-only, but is part of the client code/,
    place: /counter\.tsx:3:8/,
  },
  {
    name: 'use cache in an app without next()',
    ...inPage([
      'export default',
      "async function read() {\n  'use cache'\n  return greeting\n}\n\nexport default",
    ]),
    message:
      /app\/page\.tsx:5 has the directive 'use cache', but none of this app's plugins compiles it/,
    place: /page\.tsx:5:\d+/,
    frame: /5 \| {3}'use cache'/,
  },
  {
    name: 'use cache in a client file',
    ...inCounter([
      'export function',
      "export async function read() {\n  'use cache'\n  return 1\n}\n\nexport function",
    ]),
    message: /app\/counter\.tsx:6 has the directive 'use cache', but runs in browsers\./,
    place: /counter\.tsx:6:\d+/,
  },
]
