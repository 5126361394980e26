import { screenTexts } from '../../dictionaries/screenTexts.ts'
import { Screen } from '../../ui/screen.tsx'

export default function NotFound() {
  return <Screen texts={screenTexts('notFound')} />
}
