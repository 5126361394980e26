import { save } from './actions.ts'

export const dynamic = 'force-dynamic'

export default function Page() {
  return (
    <form action={save}>
      <input name="name" />
      <button type="submit">Save</button>
    </form>
  )
}
