import { cookies } from 'waymark/server'
import { draw, remember } from '../_lib/actions.ts'
import { Draw } from '../_ui/draw.tsx'

export default async function Form() {
  const note = (await cookies()).get('note')?.value ?? 'nothing'
  return (
    <main>
      <h1>Form</h1>
      <p>{`note ${note}`}</p>
      <form action={remember}>
        <input name="note" aria-label="Note" />
        <button type="submit">Remember</button>
      </form>
      <Draw draw={draw} />
    </main>
  )
}
