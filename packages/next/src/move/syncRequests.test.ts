import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { lineCounter } from './readSource.ts'
import { findSyncRequests, insertAll } from './syncRequests.ts'

const read = (code: string, file = 'app/[slug]/page.tsx') =>
  findSyncRequests(
    file,
    { program: parseSync(file, code, { lang: 'tsx' }).program, code },
    lineCounter(code),
  )
const find = (code: string, file?: string) =>
  read(code, file).findings.map(({ line, text }) => `${line} ${text.split(' a promise')[0]}`)
const head = "import { cookies } from 'next/headers'\n"

test.each([
  [`${head}cookies().get('a')`, ['2 cookies(), headers() or draftMode() returns']],
  [`${head}const jar = cookies()`, ['2 cookies(), headers() or draftMode() returns']],
  [`${head}const jar = await cookies()`, []],
  ["import { cookies } from './own'\ncookies().get('a')", []],
  [
    "import { cookies as jar } from 'next/headers'\njar().get('a')",
    ['2 cookies(), headers() or draftMode() returns'],
  ],
  [
    "import * as next from 'next/headers'\nnext.headers().get('a')",
    ['2 cookies(), headers() or draftMode() returns'],
  ],
  ['export default (props) => list.find(() => props.params.slug)', ['1 params or searchParams is']],
  ['export default (props) => props.other.slug', []],
  ['export default ({ params }) => list.find(() => params.slug)', ['1 params is']],
  ['export default ({ params: { slug } }) => slug', ['1 params is']],
  ['function Part({ params: { slug } }) { return slug }', ['1 params is']],
  [
    'export default async ({ params }) => {\n  const { slug } = await params\n  return params.x\n}',
    [],
  ],
  ['export const GET = (r) => { const { searchParams } = r.nextUrl; searchParams.get(1) }', []],
  ['export default (props) => { const params = use(props.params); return params.slug }', []],
])('%j: %j', (code, findings) => {
  expect(find(code)).toEqual(findings)
})

test('params in files that are not routes are ignored', () => {
  expect(find('export const read = ({ params }) => params.slug', 'lib/read.ts')).toEqual([])
})

test.each([
  [
    `${head}async () => { const jar = cookies(); return cookies().get('a') }`,
    `${head}async () => { const jar = (await cookies()); return (await cookies()).get('a') }`,
  ],
  [
    'export default async function Page({ params, searchParams }) { const { q } = searchParams; f(params.slug, params.slug) }',
    'export default async function Page({ params, searchParams }) { const { q } = (await searchParams); f((await params).slug, (await params).slug) }',
  ],
  [
    'export default async function Page(props) { const { q } = props.searchParams; return props.params.slug }',
    'export default async function Page(props) { const { q } = (await props.searchParams); return (await props.params).slug }',
  ],
  [
    'export default function Page(props: Props) { return props.params.slug }',
    "import { use } from 'react'; export default function Page(props: Props) { return use(props.params).slug }",
  ],
  [
    `${head}export default () => <p>{cookies().get('a')}</p>`,
    `import { use } from 'react'; ${head}export default () => <p>{use(cookies()).get('a')}</p>`,
  ],
  [
    'export default function Page({ params }) { return list.find(() => params.slug) }',
    "import { use } from 'react'; export default function Page({ params }) { params = use(params); return list.find(() => params.slug) }",
  ],
  [
    'const Page = ({ params: { slug }, searchParams }: Props) => { return [slug, searchParams.q] }\nexport default Page',
    "import { use } from 'react'; const Page = ({ params, searchParams }: Props) => { const { slug } = use(params); searchParams = use(searchParams); return [slug, searchParams.q] }\nexport default Page",
  ],
  [
    "'use client'\nimport { use } from 'react'\nexport default function Page({ searchParams }) { const { q } = searchParams; return q }",
    "'use client'\nimport { use } from 'react'\nexport default function Page({ searchParams }) { searchParams = use(searchParams); const { q } = searchParams; return q }",
  ],
  [
    'export const generateMetadata = ({ params }) => { return find((post) => post.slug === params.slug) }',
    'export const generateMetadata = async ({ params }) => { params = await params; return find((post) => post.slug === params.slug) }',
  ],
  [
    'export async function generateMetadata({ params: { a, b = 1 } }) { "use cache"; return a + b }',
    'export async function generateMetadata({ params }) { "use cache"; const { a, b = 1 } = await params; return a + b }',
  ],
  [
    'export function GET(request, { params: { id } }) { return id }',
    'export async function GET(request, { params }) { const { id } = await params; return id }',
  ],
])('%s waits', (code, expected) => {
  const { insertions, findings } = read(code)
  expect([insertAll(code, insertions), findings]).toEqual([expected, []])
})

test('an inner function is reported if the outer one has no body for statements', () => {
  const code = 'export default async ({ params }) => list.filter(() => params.slug)'
  expect(read(code)).toMatchObject({ insertions: [], findings: [{ line: 1 }] })
})
