import { Button } from './button.tsx'

export const dynamic = 'force-dynamic'

export default function Page() {
  return <Button />
}
