import './page.css';
import '../ui/tokens.css';
import '../ui/base.css';
import '../ui/forcedColors.css';
import { mount } from 'svelte';
import { showClock } from '../app/clock.svelte.ts';
import ReplayPage from './ReplayPage.svelte';

/** The script of an exported page: plays the recording in the page. It loads nothing; the page's policy forbids it. */
const target = document.getElementById('app');
const light = matchMedia('(prefers-color-scheme: light)');
const showTheme = () => {
  document.documentElement.dataset.theme = light.matches ? 'light' : 'dark';
};
light.addEventListener('change', showTheme);
showTheme();
showClock('system');
if (target) mount(ReplayPage, { target, props: { cast: document.getElementById('recording')?.textContent ?? '' } });
