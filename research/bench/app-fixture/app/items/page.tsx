export { ItemsPage as default } from '../../../pages/items.tsx'
