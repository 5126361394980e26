export { ElementsPage as default } from '../../../pages/elements.tsx'

export const dynamic = 'force-dynamic'
