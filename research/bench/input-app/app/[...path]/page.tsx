import { cookies, headers } from 'waymark/server'

type Props = {
  params: Promise<{ path: string[] }>
  searchParams: Promise<Record<string, string | string[]>>
}

export default async function Page({ params, searchParams }: Props) {
  const [{ path }, query, jar, sent] = await Promise.all([
    params,
    searchParams,
    cookies(),
    headers(),
  ])
  return <p>{[path.length, Object.keys(query).length, jar.size, [...sent].length].join(' ')}</p>
}
