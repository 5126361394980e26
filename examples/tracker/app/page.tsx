import { redirect } from 'waymark'

export default function Home(): never {
  redirect('/board')
}
