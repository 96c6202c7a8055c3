// What can be published from here: camera, screen, test pattern.

import { mediaSentence } from './sentences.js';
import { testPattern } from './test_pattern.js';

export const SOURCES = [
  { value: 'camera', title: 'Camera' },
  { value: 'screen', title: 'Screen' },
  { value: 'pattern', title: 'Test pattern' },
];

const PICTURE = { width: { ideal: 1280 }, height: { ideal: 720 } };

// Whether there is a camera; it is not asked for yet.
export async function hasCamera() {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.some(({ kind }) => kind === 'videoinput');
}

async function capture(source) {
  if (!navigator.mediaDevices) throw { name: 'InsecureContext' };
  if (source === 'camera') {
    return navigator.mediaDevices.getUserMedia({ video: PICTURE, audio: true });
  }
  return navigator.mediaDevices.getDisplayMedia({ video: true, audio: true });
}

// {media, stop}; throws an Error with a sentence.
export async function open(source, name) {
  if (source === 'pattern') return testPattern(name);
  try {
    const media = await capture(source);
    return { media, stop: () => media.getTracks().forEach((track) => track.stop()) };
  } catch (error) {
    throw new Error(mediaSentence(error, source));
  }
}
