"""What the scenarios are told with: child processes, ports, runneld, ffmpeg, GStreamer, RTP."""
