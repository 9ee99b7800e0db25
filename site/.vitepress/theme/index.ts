// The theme with the fonts of the reader's system: nothing is downloaded.
import theme from 'vitepress/theme-without-fonts'
import './style.css'

export default theme
