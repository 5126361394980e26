import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { lineCounter } from './readSource.ts'
import { findSyncRequests } from './syncRequests.ts'

const find = (code: string, file = 'app/[slug]/page.tsx') =>
  findSyncRequests(file, parseSync(file, code, { lang: 'tsx' }).program, lineCounter(code)).map(
    ({ line, text }) => `${line} ${text.split(' a promise')[0]}`,
  )
const head = "import { cookies } from 'next/headers'\n"

test.each([
  [`${head}cookies().get('a')`, ['2 cookies(), headers() or draftMode() returns']],
  [`${head}const jar = cookies()`, ['2 cookies(), headers() or draftMode() returns']],
  [`${head}const jar = await cookies()`, []],
  ["import { cookies } from './own'\ncookies().get('a')", []],
  ['export default ({ params }) => params.slug', ['1 params is']],
  ['export default ({ params: { slug } }) => slug', ['1 params is']],
  [
    'export default function Page({ searchParams }) {\n  const { q } = searchParams\n}',
    ['2 searchParams is'],
  ],
  [
    'export default async ({ params }) => {\n  const { slug } = await params\n  return params.x\n}',
    [],
  ],
  ['export const GET = (r) => { const { searchParams } = r.nextUrl; searchParams.get(1) }', []],
  ['export default (props) => { const params = use(props.params); return params.slug }', []],
])('%j: %j', (code, found) => {
  expect(find(code)).toEqual(found)
})

test('params of other files are not those of a route', () => {
  expect(find('export const read = ({ params }) => params.slug', 'lib/read.ts')).toEqual([])
})
