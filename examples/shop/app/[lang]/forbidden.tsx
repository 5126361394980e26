import { screenTexts } from '../../dictionaries/screenTexts.ts'
import { Screen } from '../../ui/screen.tsx'

export default function Forbidden() {
  return <Screen texts={screenTexts('forbidden')} />
}
