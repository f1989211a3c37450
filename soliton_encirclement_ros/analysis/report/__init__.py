"""HTML report of a recording: replay, plots and tables in one file."""

from soliton_encirclement_ros.analysis.report.page import page, write_page

__all__ = ['page', 'write_page']
