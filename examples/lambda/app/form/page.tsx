import { after, cookies, headers } from 'waymark/server'

async function rename(data: FormData) {
  'use server'
  const jar = await cookies()
  jar.set('name', String(data.get('name')))
  after(() => console.log('after the response'))
}

export default async function Form() {
  const name = (await cookies()).get('name')?.value ?? 'nobody'
  const userAgent = (await headers()).get('user-agent')
  return (
    <main>
      <h1>{`Hello ${name}`}</h1>
      <p>{`You use ${userAgent}`}</p>
      <form action={rename}>
        <input name="name" aria-label="Name" />
        <button type="submit">Rename</button>
      </form>
    </main>
  )
}
