import { connection } from 'waymark/server'

export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  await connection()
  return <h2>Shelf {(await params).id}</h2>
}
